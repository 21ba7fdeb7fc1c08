import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressOf } from '../../platform/http/admission/limits.ts';
import type { Platform } from '../../platform/platform.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { accountOf, type Devices } from './devices.ts';
import type { SignInLimits } from './settings.ts';

/**
 * Limits attempts to sign in, across processes if there is a Redis. All methods throw 429 `rate_limit_exceeded`. A browser that
 * has signed in before has a count of its own, so that attempts from elsewhere cannot lock it out; all of an account's together
 * have one more, so that many of them guess no more than a few.
 */
export interface Limiter {
  /** Counts a try from the request's address. */
  address(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Counts a try for an account, whether this email address exists or not. */
  account(request: FastifyRequest, reply: FastifyReply, email: string): Promise<void>;
  /** Counts a try to sign in to an account: `account`, and for an unknown browser `address` too. */
  signIn(request: FastifyRequest, reply: FastifyReply, email: string): Promise<void>;
  /** Counts a try by a signed-in user, whose session may be stolen. */
  session(request: FastifyRequest, reply: FastifyReply, sessionId: string): Promise<void>;
}

const MINUTE_S = 60;
const MINUTE_MS = MINUTE_S * 1000;
/** Longer waits are shown in minutes. */
const MAX_SHOWN_SECONDS = 90;
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

type Counter = (request: FastifyRequest, reply: FastifyReply, name: string) => Promise<void>;

/** Returns a counter whose name is given with each try. */
function counter(app: FastifyInstance, what: string, max: number, timeWindow: number): Counter {
  const names = new WeakMap<FastifyRequest, string>();
  const count = app.createRateLimit({
    max,
    timeWindow,
    keyGenerator: (request) => `sign-in:${what}:${names.get(request) ?? ''}`,
  });
  return async (request, reply, name) => {
    names.set(request, name);
    refuseBeyond(reply, await count(request));
  };
}

/** Makes a limiter over the store of the service's rate limit. */
export function makeLimiter(
  app: FastifyInstance,
  platform: Pick<Platform, 'vault'>,
  devices: Devices,
  limits: SignInLimits,
): Limiter {
  const byAddress = counter(app, 'address', limits.triesPerAddress, MINUTE_MS);
  const byVisit = counter(app, 'visit', limits.triesPerAddress, MINUTE_MS);
  const byPair = counter(app, 'account', limits.triesPerAccount, QUARTER_MS);
  const everywhere = counter(app, 'everywhere', limits.triesEverywhere, HOUR_MS);
  const byDevice = counter(app, 'device', limits.triesPerDevice, QUARTER_MS);
  const byDevices = counter(app, 'devices', limits.triesOfDevices, QUARTER_MS);
  const bySession = counter(app, 'session', limits.triesPerDevice, QUARTER_MS);
  const address: Limiter['address'] = (request, reply) => {
    const device = devices.known(request);
    return device === null
      ? byAddress(request, reply, addressOf(request))
      : byVisit(request, reply, device);
  };
  const account: Limiter['account'] = async (request, reply, email) => {
    const name = accountOf(platform, email);
    const device = devices.known(request, name);
    if (device !== null) {
      await byDevice(request, reply, device);
      return byDevices(request, reply, name);
    }
    // Count the address first: its tries beyond the limit do not count towards the limit for all addresses.
    await byPair(request, reply, `${name}:${addressOf(request)}`);
    await everywhere(request, reply, name);
  };
  return {
    address,
    account,
    async signIn(request, reply, email) {
      const isKnown = devices.known(request, accountOf(platform, email)) !== null;
      if (!isKnown) await byAddress(request, reply, addressOf(request));
      await account(request, reply, email);
    },
    session: bySession,
  };
}

type Count = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>;

function refuseBeyond(reply: FastifyReply, count: Count): void {
  if (count.isAllowed || !count.isExceeded) return;
  reply.header('retry-after', String(count.ttlInSeconds));
  const wait = waitOf(count.ttlInSeconds);
  throw new ApiError('rate_limit_exceeded', `Too many attempts. Try again in ${wait}.`);
}

/** Formats a wait: `43 seconds`, `12 minutes`. */
function waitOf(seconds: number): string {
  if (seconds > MAX_SHOWN_SECONDS) return `${Math.ceil(seconds / MINUTE_S)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
