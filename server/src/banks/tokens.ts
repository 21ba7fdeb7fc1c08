import { isAfter } from '../platform/values/instants.ts';

/** How long before its expiry a token is renewed, so that none expires in transit. */
const TOKEN_MARGIN_S = 30;
const DEFAULT_TOKEN_LIFETIME_S = 300;
/** A longer lifetime is treated as this one: practically unlimited. */
const MAX_TOKEN_LIFETIME_S = 10 * 365 * 24 * 3600;

/** Returns when a token expires, in real time. A bank may state no lifetime, a fraction, or more than a clock can represent. */
export function expiryOf(
  token: { expires_in?: number | undefined },
  now: Temporal.Instant,
): Temporal.Instant {
  const seconds = Math.floor(token.expires_in ?? DEFAULT_TOKEN_LIFETIME_S);
  return now.add({ seconds: Math.min(seconds, MAX_TOKEN_LIFETIME_S) });
}

/** Whether a token must be renewed before it is used. */
export function endsSoon(expiresAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return !isAfter(expiresAt, now.add({ seconds: TOKEN_MARGIN_S }));
}

/** Caches one value: creates it on first use and again when stale. Concurrent calls create it once. */
export function cached<T>(
  make: () => Promise<T>,
  isFresh: (value: T) => boolean,
): { get(): Promise<T>; forget(is: (value: T) => boolean): void } {
  let held: T | undefined;
  let coming: Promise<T> | undefined;
  return {
    get: async () => {
      if (held !== undefined && isFresh(held)) return held;
      coming ??= make().finally(() => {
        coming = undefined;
      });
      held = await coming;
      return held;
    },
    forget: (is) => {
      if (held !== undefined && is(held)) held = undefined;
    },
  };
}
