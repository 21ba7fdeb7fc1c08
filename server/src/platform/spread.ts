const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const RANGE = 2 ** 32;
const WIDEST = 0.25;

/** A number from 0 up to 1 that a name always has (FNV-1a, 32 bits). */
function shareOf(name: string): number {
  let hash = OFFSET;
  for (let n = 0; n < name.length; n++) hash = Math.imul(hash ^ name.charCodeAt(n), PRIME);
  return (hash >>> 0) / RANGE;
}

/**
 * A wait in seconds made longer by up to a quarter, by how much the name says: what an outage stopped at one moment does
 * not come back at one moment, and the same history has the same waits again. To the millisecond.
 */
export function spread(seconds: number, name: string): Temporal.Duration {
  return Temporal.Duration.from({
    milliseconds: Math.round(seconds * 1000 * (1 + WIDEST * shareOf(name))),
  });
}
