import type { FastifyReply } from 'fastify';
import { realNow } from '../../clock.ts';
import type { Brand } from '../behaviour/brands.ts';

/** Counts a call to a bank with a rate limit, and says in its headers how many are left. Returns whether it is served. */
export type CountCall = (brand: Brand, reply: FastifyReply) => boolean;

/** Makes what counts the calls of every bank, in windows of real time. */
export function createRateLimits(): CountCall {
  const windows = new Map<string, { endsAtMs: number; left: number }>();
  return ({ bankId, profile: { rateLimit } }, reply) => {
    if (rateLimit === null) return true;
    const now = realNow().epochMilliseconds;
    const { calls, seconds } = rateLimit;
    const known = windows.get(bankId);
    const window =
      known !== undefined && known.endsAtMs > now
        ? known
        : { endsAtMs: now + seconds * 1000, left: calls };
    const isServed = window.left > 0;
    if (isServed) window.left -= 1;
    windows.set(bankId, window);
    const until = Math.ceil((window.endsAtMs - now) / 1000);
    reply.header('ratelimit-policy', `"default";q=${calls};w=${seconds}`);
    reply.header('ratelimit', `"default";r=${window.left};t=${until}`);
    if (!isServed) reply.header('retry-after', String(until));
    return isServed;
  };
}
