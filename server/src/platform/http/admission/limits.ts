import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../values/errors.ts';

const IPV6_SUBNET = 64;

/** Returns the address by which a request is counted: for IPv6 the network, because a visitor has all of it. */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return normalizeIP(ip, IPV6_SUBNET);
}

/** Writes the headers of a limit, and throws 429 if it is exceeded. */
export function setLimitHeaders(
  reply: FastifyReply,
  { max, used, seconds }: { max: number; used: number; seconds: number },
): void {
  reply.headers({
    'ratelimit-limit': String(max),
    'ratelimit-remaining': String(Math.max(0, max - used)),
    'ratelimit-reset': String(seconds),
  });
  if (used <= max) return;
  reply.header('retry-after', String(seconds));
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  throw new ApiError('rate_limit_exceeded', `Too many requests; try again in ${wait}.`);
}
