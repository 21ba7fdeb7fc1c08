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

interface FrequencyWords {
  label: string;
  unit: string;
  /** Longer than a month: the first date may be far away, or surprisingly near. */
  isLong: boolean;
}

const FREQUENCIES: Readonly<Record<FrequencyType, FrequencyWords>> = {
  daily: { label: 'Daily', unit: 'day', isLong: false },
  weekly: { label: 'Weekly', unit: 'week', isLong: false },
  monthly: { label: 'Monthly', unit: 'month', isLong: false },
  quarterly: { label: 'Quarterly', unit: 'quarter', isLong: true },
  yearly: { label: 'Yearly', unit: 'year', isLong: true },
};

/** The frequencies to choose from. */
export const FREQUENCY_CHOICES = Object.entries(FREQUENCIES).map(([value, { label }]) => ({
  value,
  label,
}));

/** Returns the unit of a frequency: "month". */
export function unitOf(type: FrequencyType): string {
  return FREQUENCIES[type].unit;
}

/** Whether a frequency is longer than a month. */
export function isLong(type: FrequencyType): boolean {
  return FREQUENCIES[type].isLong;
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
