import { toDecimal } from '../../platform/values/money.ts';
import { FREQUENCY_BOUNDS, type Frequency } from './frequency.ts';
import type { Series } from './occurrences.ts';
import type { NonWorkingDay } from './working-day.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** Every month has this many days; a later day is missing in some. */
const DAYS_OF_EVERY_MONTH = 28;

/** Describes how often a series collects, for customers and merchants: "every month on the 1st". */
export function describeSeries({ frequency, firstAt, timeZone, nonWorkingDay }: Series): string {
  const date = firstAt.toZonedDateTimeISO(timeZone).toPlainDate();
  return describeFrequency(frequency, date) + MOVED[nonWorkingDay ?? 'same'];
}

/** Says where a collection goes that falls on no working day. */
const MOVED: Readonly<Record<NonWorkingDay, string>> = {
  same: '',
  next: ', or the next working day',
  previous: ', or the working day before',
};

/**
 * Describes a frequency: "every second week on Friday". `firstOn` is a date of the series, from which a yearly one gets its
 * month: "every year on 15 March".
 */
export function describeFrequency(frequency: Frequency, firstOn: Temporal.PlainDate): string {
  const every = `every ${intervalOrdinal(frequency.interval)}${FREQUENCY_BOUNDS[frequency.type].noun}`;
  const { type, day } = frequency;
  if (type === 'daily' || day === null) return every;
  if (type === 'weekly') return `${every} on ${WEEKDAYS[day - 1]}`;
  if (type === 'yearly') return `${every} on ${dayAndMonth(day, firstOn)}`;
  const shorter = day > DAYS_OF_EVERY_MONTH ? ' (or the last day of shorter months)' : '';
  return `${every} on the ${ordinal(day)}${shorter}`;
}

/** Formats an amount for display: 4999 → "£49.99", 125000 → "£1,250.00". */
export function describeAmount(amountPence: number, currency = 'GBP'): string {
  const decimal = toDecimal(amountPence) as `${number}`;
  // A decimal string keeps every digit; a division by 100 might not.
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(decimal);
}

function intervalOrdinal(interval: number): string {
  if (interval === 1) return '';
  if (interval === 2) return 'second ';
  if (interval === 3) return 'third ';
  return `${ordinal(interval)} `;
}

function dayAndMonth(day: number, firstOn: Temporal.PlainDate): string {
  const month = firstOn.toLocaleString('en-GB', { month: 'long' });
  if (firstOn.month === 2 && day > DAYS_OF_EVERY_MONTH) {
    return '29 February (28 February where it is no leap year)';
  }
  return `${Math.min(day, firstOn.daysInMonth)} ${month}`;
}

function ordinal(n: number): string {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  const suffixes: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' };
  return `${n}${(teens ? undefined : suffixes[n % 10]) ?? 'th'}`;
}
