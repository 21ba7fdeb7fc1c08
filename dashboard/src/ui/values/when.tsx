import { useNow, useTimeZone } from './time-zone.tsx';

type Form = 'date' | 'datetime' | 'relative';

const DATE: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' };
const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
const DATE_TIME: Intl.DateTimeFormatOptions = { ...DATE, ...TIME };
const FULL: Intl.DateTimeFormatOptions = { dateStyle: 'full', timeStyle: 'long' };

const formats = new Map<string, Intl.DateTimeFormat>();

function format(at: string, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  const made = known ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  if (known === undefined) formats.set(key, made);
  return made.format(new Date(at));
}

/** Formats an instant: `3 Mar 2026`, or `3 Mar 2026, 09:14`. */
export function formatWhen(at: string, timeZone: string, as: 'date' | 'datetime'): string {
  return format(at, timeZone, as === 'date' ? DATE : DATE_TIME);
}

/** Formats the time of day of an instant: `09:14`. */
export function formatTime(at: string, timeZone: string): string {
  return format(at, timeZone, TIME);
}

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

const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });

/** Formats a moment relative to now (both in milliseconds): `in 3 days`, `5 minutes ago`, `just now`. */
function relativeTime(at: number, now: number): string {
  const distance = at - now;
  const fitting = UNITS.find(([, length]) => Math.abs(distance) >= length);
  if (fitting === undefined) return 'just now';
  const [unit, length] = fitting;
  return relative.format(Math.trunc(distance / length), unit);
}

interface WhenProps {
  /** An instant in ISO 8601, or a date such as 2026-03-30. */
  at: string | null;
  as?: Form;
  /** The clock for `relative`: the business time (the sandbox's), or the machine's, for sign-ins and requests. */
  clock?: 'business' | 'real';
}

/** A moment in the merchant's time zone; the full date and time on hover. */
export function When({ at, as = 'datetime', clock = 'business' }: WhenProps) {
  const zone = useTimeZone();
  const business = useNow();
  if (at === null) return <span className="quiet">–</span>;
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(at);
  const timeZone = isDate ? 'UTC' : zone;
  const now = clock === 'real' ? Date.now() : business;
  const text =
    as === 'relative'
      ? relativeTime(Date.parse(at), now)
      : formatWhen(at, timeZone, isDate ? 'date' : as);
  const title = isDate
    ? formatWhen(at, timeZone, 'date')
    : format(at, timeZone, FULL).replace(',', '');
  return (
    <time className="when" dateTime={at} title={title}>
      {text}
    </time>
  );
}
