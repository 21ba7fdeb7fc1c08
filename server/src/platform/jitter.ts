const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const RANGE = 2 ** 32;
const WIDEST = 0.25;

/** Derives a number from 0 up to 1 from a key (FNV-1a, 32 bits). */
function shareOf(key: string): number {
  let hash = OFFSET;
  for (let n = 0; n < key.length; n++) hash = Math.imul(hash ^ key.charCodeAt(n), PRIME);
  return (hash >>> 0) / RANGE;
}

/**
 * Adds up to 25 % jitter to a delay in seconds, so that what one outage stopped does not come back in one burst. The jitter is
 * derived from `key`: a replay waits exactly as long as the first run. The result is in whole milliseconds.
 */
export function withJitter(seconds: number, key: string): Temporal.Duration {
  return Temporal.Duration.from({
    milliseconds: Math.round(seconds * 1000 * (1 + WIDEST * shareOf(key))),
  });
}
