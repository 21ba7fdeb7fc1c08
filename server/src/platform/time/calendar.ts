import { isAfter, isBefore, remembering } from '../values/instants.ts';
import { bankHolidays } from './bank-holidays.ts';

/** Generous: the longest run of non-business days is four (Christmas on a Saturday), and a setting may add thirty. */
const LONGEST_RUN_DAYS = 90;

const holidaysOf = remembering((year: number): ReadonlySet<string> => bankHolidays(year));

/** Holidays that the operator names besides those that are known, and dates that are none: ISO dates. */
export interface HolidayChanges {
  extra: ReadonlySet<string>;
  without: ReadonlySet<string>;
}

let changes: HolidayChanges = { extra: new Set(), without: new Set() };

/** Sets what the operator's settings say about bank holidays: once, at the start of a process. */
export function changeHolidays(said: HolidayChanges): void {
  changes = said;
}

/** Whether this version knows a bank holiday on an ISO date. */
export function isKnownHoliday(date: string): boolean {
  return holidaysOf(Number(date.slice(0, 4))).has(date);
}

/** Whether a date is Monday to Friday and not a bank holiday in England and Wales. */
export function isBusinessDay(date: Temporal.PlainDate): boolean {
  if (date.dayOfWeek > 5) return false;
  const iso = date.toString();
  if (changes.extra.has(iso)) return false;
  return changes.without.has(iso) || !isKnownHoliday(iso);
}

/** Returns the first business day strictly after `date`. */
export function nextBusinessDay(date: Temporal.PlainDate): Temporal.PlainDate {
  return businessDayOf(date.add({ days: 1 }));
}

/** Returns `date` itself if it is a business day, otherwise the next one. */
export function businessDayOf(date: Temporal.PlainDate): Temporal.PlainDate {
  for (let days = 0; days < LONGEST_RUN_DAYS; days += 1) {
    const day = date.add({ days });
    if (isBusinessDay(day)) return day;
  }
  throw new Error(`No business day within ${LONGEST_RUN_DAYS} days of ${date.toString()}`);
}

const DATE_TIME_WITH_OFFSET =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:[0-5]\d([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i;

const EARLIEST = Temporal.Instant.from('0001-01-01T00:00:00Z');
const LATEST = Temporal.Instant.from('9999-12-31T23:59:59.999Z');

/**
 * Reads an ISO 8601 date-time with an offset or `Z`; returns null for anything else, including one without an offset.
 * Truncates to milliseconds, so that the stored value is what `formatInstant` shows. See docs/rules/api.md#date-times.
 */
export function parseInstant(text: string): Temporal.Instant | null {
  if (!DATE_TIME_WITH_OFFSET.test(text)) return null;
  try {
    const instant = Temporal.Instant.from(text).round({
      smallestUnit: 'millisecond',
      roundingMode: 'floor',
    });
    const inRange = !isBefore(instant, EARLIEST) && !isAfter(instant, LATEST);
    return inRange ? instant : null;
  } catch {
    return null; // well-formed, but no such day or hour
  }
}

const millisText = remembering((ms: number) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 }),
);

/** Formats as ISO 8601 in UTC, with `Z` and exactly three fractional digits: `2026-03-01T09:00:00.000Z`. Null stays null. */
export function formatInstant(instant: Temporal.Instant): string;
export function formatInstant(instant: Temporal.Instant | null): string | null;
export function formatInstant(instant: Temporal.Instant | null): string | null {
  return instant === null ? null : millisText(instant.epochMilliseconds);
}
