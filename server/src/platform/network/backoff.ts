import { plusMs } from '../values/instants.ts';

/** Returns the delay in seconds after `tries` tries, from a list of delays; the last one repeats. */
export function delayFrom(delays: readonly [number, ...number[]], tries: number): number {
  return delays[Math.min(Math.max(tries, 1), delays.length) - 1] ?? delays[0];
}

/** Returns the delay in seconds after `failures` failures: `first`, doubled for each failure, at most `longest`. */
export function doublingDelay(first: number, longest: number, failures: number): number {
  return Math.min(longest, first * 2 ** Math.min(failures, 30));
}

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const RANGE = 2 ** 32;
const MAX_JITTER = 0.25;

/** Derives a number from 0 up to 1 from a key (FNV-1a, 32 bits). */
function shareOf(key: string): number {
  let hash = OFFSET;
  for (let n = 0; n < key.length; n++) hash = Math.imul(hash ^ key.charCodeAt(n), PRIME);
  return (hash >>> 0) / RANGE;
}

/**
 * Returns the end of a delay with up to 25 % jitter, so that what one outage stopped does not come back in one burst. The jitter
 * is derived from `key`: a replay waits exactly as long as the first run. The delay is in whole milliseconds.
 */
export function afterJitter(now: Temporal.Instant, seconds: number, key: string): Temporal.Instant {
  return plusMs(now, Math.round(seconds * 1000 * (1 + MAX_JITTER * shareOf(key))));
}
