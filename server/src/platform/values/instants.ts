// A Temporal.Instant has a finalizer: making one costs ten times an object literal, comparing two a microsecond, and in a due
// run that was a quarter of our CPU time. So instants are compared by their milliseconds, and made and written once.

/** How many values are remembered, before all are forgotten: more than one batch has. */
const MOST_REMEMBERED = 10_000;

/** Returns a function that computes each value once, until it has computed very many. */
export function remembering<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}

/** Orders instants by time, the earlier one first. */
export function compareInstants(a: Temporal.Instant, b: Temporal.Instant): number {
  if (a === b) return 0;
  return a.epochMilliseconds - b.epochMilliseconds || Temporal.Instant.compare(a, b);
}

export const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean =>
  compareInstants(a, b) < 0;

export const isAfter = (a: Temporal.Instant, b: Temporal.Instant): boolean =>
  compareInstants(a, b) > 0;

/** Returns the earlier of two moments; one that is missing counts for nothing. */
export function earlier(a: Temporal.Instant, b: Temporal.Instant | null): Temporal.Instant;
export function earlier(a: Temporal.Instant | null, b: Temporal.Instant): Temporal.Instant;
export function earlier(
  a: Temporal.Instant | null,
  b: Temporal.Instant | null,
): Temporal.Instant | null;
export function earlier(
  a: Temporal.Instant | null,
  b: Temporal.Instant | null,
): Temporal.Instant | null {
  if (a === null || b === null) return a ?? b;
  return isAfter(a, b) ? b : a;
}

export const later = (a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant =>
  isBefore(a, b) ? b : a;

/** Returns the instant that lies this many milliseconds later. */
export const plusMs = (at: Temporal.Instant, ms: number): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(at.epochMilliseconds + ms);

/** Returns the milliseconds from one moment to another. */
export const elapsedMs = (from: Temporal.Instant, to: Temporal.Instant): number =>
  to.epochMilliseconds - from.epochMilliseconds;

/** Returns the length of a duration without months and years. */
export const msOf = remembering((duration: Temporal.Duration) => duration.total('milliseconds'));

/** Reads what PostgreSQL writes for a `timestamptz`. Rows of a batch share most of theirs. */
export const instantOfColumn = remembering((text: string) =>
  Temporal.Instant.from(text.replace(' ', 'T')),
);
