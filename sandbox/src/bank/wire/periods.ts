/**
 * Periodic limits of a VRP consent: which period contains a day, and how much may be paid in it. Days are London days; the time
 * of day is ignored.
 */

export const PERIOD_TYPES = ['Day', 'Week', 'Fortnight', 'Month', 'Half-year', 'Year'] as const;
export type PeriodType = (typeof PERIOD_TYPES)[number];
export type PeriodAlignment = 'Consent' | 'Calendar';

export interface PeriodicLimit {
  type: PeriodType;
  alignment: PeriodAlignment;
  amountPence: number;
}

/** One period, first and last day inclusive, and the maximum that may be paid in it. */
interface Period {
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
  allowedPence: number;
}

/** Returns the calendar day in London at an instant. */
export function londonDate(instant: Temporal.Instant): Temporal.PlainDate {
  return instant.toZonedDateTimeISO('Europe/London').toPlainDate();
}

/**
 * Returns the period containing `day`. `anchor` is the first day of the consent: ValidFromDateTime if given, otherwise the day
 * of authorisation. Throws RangeError for a day before the anchor.
 */
export function periodAt(
  limit: PeriodicLimit,
  anchor: Temporal.PlainDate,
  day: Temporal.PlainDate,
): Period {
  if (Temporal.PlainDate.compare(day, anchor) < 0) {
    throw new RangeError(`${day} lies before the first day of the consent, ${anchor}`);
  }
  return limit.alignment === 'Consent'
    ? consentPeriod(limit, anchor, day)
    : calendarPeriod(limit, anchor, day);
}

const DAYS_IN: Partial<Record<PeriodType, number>> = { Day: 1, Week: 7, Fortnight: 14 };
const MONTHS_IN: Partial<Record<PeriodType, number>> = { Month: 1, 'Half-year': 6, Year: 12 };

/** Returns a period counted from the anchor; each has the full amount. */
function consentPeriod(
  limit: PeriodicLimit,
  anchor: Temporal.PlainDate,
  day: Temporal.PlainDate,
): Period {
  const startOf = periodStarts(limit.type, anchor);
  const approximate = Math.floor(daysBetween(anchor, day) / longestDays(limit.type));
  let index = Math.max(0, approximate);
  while (Temporal.PlainDate.compare(startOf(index + 1), day) <= 0) index += 1;
  return {
    from: startOf(index),
    to: startOf(index + 1).subtract({ days: 1 }),
    allowedPence: limit.amountPence,
  };
}

/** Returns the first day of the n-th period, always counted from the anchor: the 31st never drifts to the 28th. */
function periodStarts(
  type: PeriodType,
  anchor: Temporal.PlainDate,
): (index: number) => Temporal.PlainDate {
  const days = DAYS_IN[type];
  if (days) return (index) => anchor.add({ days: index * days });
  const months = MONTHS_IN[type] ?? 12;
  return (index) => anchor.add({ months: index * months });
}

/** Returns the maximum length of a period in days, so that dividing by it never skips a period. */
function longestDays(type: PeriodType): number {
  return DAYS_IN[type] ?? { 1: 31, 6: 184, 12: 366 }[MONTHS_IN[type] ?? 12] ?? 366;
}

/** Returns a calendar period; the one in which the consent starts is pro-rated by its remaining days. */
function calendarPeriod(
  limit: PeriodicLimit,
  anchor: Temporal.PlainDate,
  day: Temporal.PlainDate,
): Period {
  const { from, to } = calendarBounds(limit.type, day);
  if (Temporal.PlainDate.compare(anchor, from) <= 0) {
    return { from, to, allowedPence: limit.amountPence };
  }
  const allDays = BigInt(daysBetween(from, to) + 1);
  const remainingDays = BigInt(daysBetween(anchor, to) + 1);
  // The standard does not state the rounding; a bank never rounds a limit up.
  const allowedPence = Number((BigInt(limit.amountPence) * remainingDays) / allDays);
  return { from: anchor, to, allowedPence };
}

function calendarBounds(
  type: PeriodType,
  day: Temporal.PlainDate,
): { from: Temporal.PlainDate; to: Temporal.PlainDate } {
  switch (type) {
    case 'Day':
      return { from: day, to: day };
    case 'Week': {
      const from = day.subtract({ days: day.dayOfWeek - 1 });
      return { from, to: from.add({ days: 6 }) };
    }
    case 'Fortnight':
      throw new RangeError('A fortnight has no place in the calendar: Consent alignment only');
    case 'Month':
      return monthsFrom(day.with({ day: 1 }), 1);
    case 'Half-year':
      return monthsFrom(day.with({ day: 1, month: day.month <= 6 ? 1 : 7 }), 6);
    case 'Year':
      return monthsFrom(day.with({ day: 1, month: 1 }), 12);
  }
}

function monthsFrom(from: Temporal.PlainDate, months: number) {
  return { from, to: from.add({ months }).subtract({ days: 1 }) };
}

function daysBetween(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return from.until(to, { largestUnit: 'day' }).days;
}
