import type { FastifyReply, FastifyRequest } from 'fastify';
import { realNow } from '../../time/clock.ts';
import { addressOf, setLimitHeaders } from './limits.ts';

/** Permission to query the database for the holder of a key, for one request. */
export interface LookUp {
  /** Call it before the query. Throws 429 `rate_limit_exceeded` if the address has looked up too many unknown keys. */
  begin(): void;
  /** The key was valid: the look-up does not count. */
  found(): void;
}

const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 50_000;
const UNKNOWN_KEY_DIVISOR = 10;
const MIN = 10;

interface Window {
  used: number;
  endsMs: number;
}

/**
 * Counts the look-ups of unknown keys by address and minute, in this process, whose database they cost. A look-up counts from
 * its beginning, so that concurrent ones count too. `perMinute` is the limit of one key's requests: a tenth of it may be
 * made-up keys.
 */
export function makeLookUps(
  perMinute: number,
): (request: FastifyRequest, reply: FastifyReply) => LookUp {
  const max = Math.max(MIN, Math.ceil(perMinute / UNKNOWN_KEY_DIVISOR));
  const windows = new Map<string, Window>();
  const windowOf = (address: string, nowMs: number): Window => {
    const known = windows.get(address);
    if (known !== undefined && known.endsMs > nowMs) return known;
    windows.delete(address);
    const [oldest] = windows.keys();
    if (windows.size >= MAX_ADDRESSES && oldest !== undefined) windows.delete(oldest);
    const fresh = { used: 0, endsMs: nowMs + MINUTE_MS };
    windows.set(address, fresh);
    return fresh;
  };
  return (request, reply) => {
    let begun: Window | null = null;
    return {
      begin() {
        const nowMs = realNow().epochMilliseconds;
        const window = windowOf(addressOf(request), nowMs);
        const seconds = Math.max(1, Math.ceil((window.endsMs - nowMs) / 1000));
        if (window.used >= max) setLimitHeaders(reply, { max, used: max + 1, seconds });
        window.used += 1;
        begun = window;
      },
      found() {
        if (begun !== null) begun.used -= 1;
        begun = null;
      },
    };
  };
}
