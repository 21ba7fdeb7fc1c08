import type { FrequencyType } from '@recollect/sdk';

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

/** Returns the unit of a frequency: "month". */
export function unitOf(type: FrequencyType): string {
  return UNITS[type];
}

/** Formats an ordinal: 1 → "1st", 12 → "12th". */
export function ordinal(n: number): string {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  const suffixes: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' };
  return `${n}${(teens ? undefined : suffixes[n % 10]) ?? 'th'}`;
}

/** Capitalises the first letter: "every month" → "Every month". */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
