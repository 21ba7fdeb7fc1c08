import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import type { Vault } from '../../platform/vault.ts';
import type { SignInLimits } from './settings.ts';

/** Counts tries to get in, across processes where there is a Redis. Both throw 429 `rate_limit_exceeded`. */
export interface Limiter {
  /** One more try from the request's address. */
  address(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** One more try for an account, whether there is one with this address or not. */
  account(request: FastifyRequest, reply: FastifyReply, email: string): Promise<void>;
}

const MINUTE_S = 60;
const MINUTE_MS = MINUTE_S * 1000;
/** Longer waits are told in minutes. */
const SECONDS_SAID = 90;
const ACCOUNT_WINDOW_MS = 15 * MINUTE_MS;
const IPV6_SUBNET = 64;

/** A limiter over the store of the service's rate limit, which has been registered. */
export function makeLimiter(app: FastifyInstance, vault: Vault, limits: SignInLimits): Limiter {
  const accounts = new WeakMap<FastifyRequest, string>();
  const byAddress = app.createRateLimit({
    max: limits.triesPerAddress,
    timeWindow: MINUTE_MS,
    keyGenerator: ({ ip }) => `sign-in:address:${normalizeIP(ip, IPV6_SUBNET)}`,
  });
  const byAccount = app.createRateLimit({
    max: limits.triesPerAccount,
    timeWindow: ACCOUNT_WINDOW_MS,
    keyGenerator: (request) => `sign-in:account:${accounts.get(request) ?? ''}`,
  });
  return {
    address: async (request, reply) => refuseBeyond(reply, await byAddress(request)),
    async account(request, reply, email) {
      // The store may be a Redis that others read: it learns no address.
      const name = vault.index(email.trim().toLowerCase(), 'sign-in:account').toString('base64url');
      accounts.set(request, name);
      refuseBeyond(reply, await byAccount(request));
    },
  };
}

type Count = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>;

function refuseBeyond(reply: FastifyReply, count: Count): void {
  if (count.isAllowed || !count.isExceeded) return;
  reply.header('retry-after', String(count.ttlInSeconds));
  const wait = waitOf(count.ttlInSeconds);
  throw new ApiError('rate_limit_exceeded', `Too many tries. Try again in ${wait}.`);
}

/** A wait of so many seconds as people say it: `43 seconds`, `12 minutes`. */
function waitOf(seconds: number): string {
  if (seconds > SECONDS_SAID) return `${Math.ceil(seconds / MINUTE_S)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
