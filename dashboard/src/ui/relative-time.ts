const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, length: number][] = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
];

const format = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });

/** Formats a moment relative to now (both in milliseconds): `in 3 days`, `5 minutes ago`, `just now`. */
export function relativeTime(at: number, now: number): string {
  const distance = at - now;
  const fitting = UNITS.find(([, length]) => Math.abs(distance) >= length);
  if (fitting === undefined) return 'just now';
  const [unit, length] = fitting;
  return format.format(Math.trunc(distance / length), unit);
}
