import type { Frequency, FrequencyType } from '@recollect/sdk';

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

const UNITS: Readonly<Record<FrequencyType, string>> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
};

/** The shortest month has this many days: a later day is sometimes missing. */
const DAYS_OF_EVERY_MONTH = 28;

/** What one interval of a frequency is: "month". */
export function unitOf(type: FrequencyType): string {
  return UNITS[type];
}

/** A frequency in the words that the customer reads too: "every second week on Friday". */
export function frequencyWords({ type, day, interval }: Frequency): string {
  const every = `every ${intervalWord(interval)}${UNITS[type]}`;
  if (type === 'daily' || day === undefined) return every;
  if (type === 'weekly') return `${every} on ${WEEKDAYS[day - 1]}`;
  const shorter = day > DAYS_OF_EVERY_MONTH ? ' (the last day where a month is shorter)' : '';
  return `${every} on the ${ordinal(day)}${shorter}`;
}

/** 1 → "1st", 12 → "12th". */
export function ordinal(n: number): string {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  const suffixes: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' };
  return `${n}${(teens ? undefined : suffixes[n % 10]) ?? 'th'}`;
}

/** A sentence's beginning: "every month" → "Every month". */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function intervalWord(interval: number): string {
  if (interval === 1) return '';
  if (interval === 2) return 'second ';
  if (interval === 3) return 'third ';
  return `${ordinal(interval)} `;
}
