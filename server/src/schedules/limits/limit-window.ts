import type { LimitPeriod as PeriodType } from '../../banks/bank.ts';

export type { LimitPeriod as PeriodType } from '../../banks/bank.ts';

/** One periodic limit of a bank consent. `Fortnight` exists only with `Consent` alignment. */
export interface PeriodicLimit {
  periodType: PeriodType;
  alignment: 'Consent' | 'Calendar';
  amountPence: number;
}

/** The dates of one period, both included. */
export interface LimitWindow {
  start: Temporal.PlainDate;
  end: Temporal.PlainDate;
}

/** UK banks count the days of a limit in UK time, whatever the merchant's time zone. */
export const BANK_TIME_ZONE = 'Europe/London';

interface Period {
  unit: 'days' | 'months';
  size: number;
}

const PERIODS: Readonly<Record<PeriodType, Period>> = {
  Day: { unit: 'days', size: 1 },
  Week: { unit: 'days', size: 7 },
  Fortnight: { unit: 'days', size: 14 },
  Month: { unit: 'months', size: 1 },
  'Half-year': { unit: 'months', size: 6 },
  Year: { unit: 'months', size: 12 },
};

/** A Monday and a 1 January: every calendar period except a fortnight can start here. */
const CALENDAR_ANCHOR = Temporal.PlainDate.from('2001-01-01');

/**
 * Returns the period of `limit` that contains `at`. `Consent` periods run from the date of `validFrom`, `Calendar` periods from
 * Monday, or the first of the month, half-year or year. The time of day is ignored, and months are counted from the anchor, so
 * that a short month causes no drift. Throws RangeError for a calendar fortnight, which open banking does not have.
 */
export function windowOf(
  limit: PeriodicLimit,
  validFrom: Temporal.Instant,
  at: Temporal.Instant,
  timeZone = BANK_TIME_ZONE,
): LimitWindow {
  return windowOfDates(limit, dateIn(validFrom, timeZone), dateIn(at, timeZone));
}

function windowOfDates(
  limit: PeriodicLimit,
  validFrom: Temporal.PlainDate,
  date: Temporal.PlainDate,
): LimitWindow {
  const anchor = anchorOf(limit, validFrom);
  const index = periodIndex(limit.periodType, anchor, date);
  const { unit, size } = PERIODS[limit.periodType];
  return {
    start: anchor.add({ [unit]: index * size }),
    end: anchor.add({ [unit]: (index + 1) * size }).subtract({ days: 1 }),
  };
}

/**
 * Returns what `limit` allows, in pence, in the period that contains `at`. The first `Calendar` period is pro-rated by its
 * remaining days, both ends counted, and rounded down; a period that ends before the consent is valid allows nothing.
 */
export function allowedInWindow(
  limit: PeriodicLimit,
  validFrom: Temporal.Instant,
  at: Temporal.Instant,
  timeZone = BANK_TIME_ZONE,
): number {
  return allowance(limit, validFrom, at, timeZone).allowedPence;
}

/** Returns the period of `limit` that contains `at`, and what it allows, in pence. */
export function allowance(
  limit: PeriodicLimit,
  validFrom: Temporal.Instant,
  at: Temporal.Instant,
  timeZone = BANK_TIME_ZONE,
): { window: LimitWindow; allowedPence: number } {
  const from = dateIn(validFrom, timeZone);
  const window = windowOfDates(limit, from, dateIn(at, timeZone));
  return { window, allowedPence: allowedFrom(limit, from, window) };
}

function allowedFrom(limit: PeriodicLimit, from: Temporal.PlainDate, window: LimitWindow): number {
  if (Temporal.PlainDate.compare(from, window.start) <= 0) return limit.amountPence;
  if (Temporal.PlainDate.compare(from, window.end) > 0) return 0;
  const remaining = BigInt(daysIn({ start: from, end: window.end }));
  return Number((BigInt(limit.amountPence) * remaining) / BigInt(daysIn(window)));
}

/** Returns the number of periods from the one that starts on `anchor` to the one that contains `date`. */
export function periodIndex(
  periodType: PeriodType,
  anchor: Temporal.PlainDate,
  date: Temporal.PlainDate,
): number {
  const { unit, size } = PERIODS[periodType];
  if (unit === 'days') return Math.floor(anchor.until(date, { largestUnit: 'days' }).days / size);
  const months = (date.year - anchor.year) * 12 + date.month - anchor.month;
  const index = Math.floor(months / size);
  const startsThisMonth = index * size === months;
  const startDay = Math.min(anchor.day, date.daysInMonth);
  return startsThisMonth && date.day < startDay ? index - 1 : index;
}

/** Returns the date of an instant in a time zone. */
export function dateIn(at: Temporal.Instant, timeZone: string): Temporal.PlainDate {
  return at.toZonedDateTimeISO(timeZone).toPlainDate();
}

function anchorOf(limit: PeriodicLimit, validFrom: Temporal.PlainDate): Temporal.PlainDate {
  if (limit.alignment === 'Consent') return validFrom;
  if (limit.periodType === 'Fortnight') {
    throw new RangeError('A fortnight has no Calendar alignment');
  }
  return CALENDAR_ANCHOR;
}

function daysIn({ start, end }: LimitWindow): number {
  return start.until(end, { largestUnit: 'days' }).days + 1;
}
