import Type from 'typebox';
import type { Asked } from '../../platform/platform.ts';
import { invalid } from '../../platform/values/errors.ts';

/** A call with the merchant's time zone, in which its days are counted. */
export interface ZonedCall extends Asked {
  timeZone: string;
}

/** The days of a report in the merchant's calendar, both included, and the instants that bound them. */
export interface DayRange {
  first: Temporal.PlainDate;
  last: Temporal.PlainDate;
  since: Temporal.Instant;
  /** The first instant after the range. */
  until: Temporal.Instant;
}

const WRONG_DAY = 'must be a date such as 2026-03-30';

/** A calendar day in a report's query. */
export const DayInput = Type.Optional(
  Type.String({ maxLength: 10, description: 'A date such as 2026-03-30.' }),
);
function readDay(text: string): Temporal.PlainDate | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return null; // no such day
  }
}

/** Reads a day of a query; `absent` where there is none. Throws 400 naming the field. */
export function dayOf<T>(
  field: string,
  text: string | undefined,
  absent: T,
): Temporal.PlainDate | T {
  if (text === undefined) return absent;
  const day = readDay(text);
  if (day === null) throw invalid({ [field]: WRONG_DAY });
  return day;
}

/** Returns a range with its instants. Throws 400 where it ends before it begins, or has more than `most` days. */
export function rangeOf(
  first: Temporal.PlainDate,
  last: Temporal.PlainDate,
  timeZone: string,
  most: number,
): DayRange {
  const days = first.until(last, { largestUnit: 'days' }).days + 1;
  if (days < 1) throw invalid({ to: 'must not be before from' });
  if (days > most) throw invalid({ from: `must be at most ${most} days before to` });
  return {
    first,
    last,
    since: startOf(first, timeZone),
    until: startOf(last.add({ days: 1 }), timeZone),
  };
}

/** Returns when a day begins in a time zone. */
export function startOf(day: Temporal.PlainDate, timeZone: string): Temporal.Instant {
  return day.toZonedDateTime(timeZone).toInstant();
}

/** Returns the present day in a time zone. */
export function todayIn(timeZone: string, now: Temporal.Instant): Temporal.PlainDate {
  return now.toZonedDateTimeISO(timeZone).toPlainDate();
}
