/** How long after it was made a row is old. Retries, the settlement and the pay-out of a payment take less. */
const OLD_AFTER_DAYS = 35;
/** In how many days each old row has its turn: with the two days that rounds may take, it is read within thirty. */
const CYCLE_DAYS = 28;
/** An old row has its turn in one hour of the cycle, which a hash of its key says. */
export const SLOTS = CYCLE_DAYS * 24;

/** How long a round may take: a later one reads everything, because the turns of some old rows have passed. */
export const DAY_HOURS = 24;

const HOUR_MS = 3_600_000;

/** Returns from when on a row is young at this moment. */
export const youngSince = (now: Temporal.Instant): Temporal.Instant =>
  now.subtract({ hours: OLD_AFTER_DAYS * 24 });

/** Which rows of a table a round reads. */
export interface Turn {
  /** Rows made since then are read in every round. */
  youngSince: Temporal.Instant;
  /** Older ones are read if their hour of the cycle is among these. */
  slots: number[];
}

/**
 * Returns which rows a round reads: the young ones, and the old ones whose hour falls within a day of its beginning. The next
 * round begins within that day, so no hour is left out. A round of everything has all hours.
 */
export function turnOf(
  beganAt: Temporal.Instant,
  now: Temporal.Instant,
  isOfEverything: boolean,
): Turn {
  const first = Math.floor(beganAt.epochMilliseconds / HOUR_MS);
  const count = isOfEverything ? SLOTS : DAY_HOURS + 1; // of the first and the last hour a part each
  return {
    youngSince: youngSince(now),
    slots: Array.from({ length: count }, (_, n) => (first + n) % SLOTS),
  };
}
