interface Rule {
  unit: 'days' | 'months';
  size: number;
  longestInterval: number;
  /** 7: a day of the week; 31: of the month; null: every day is one. */
  lastDay: number | null;
  /** What passes between two occurrences, as people call it. */
  noun: string;
}

/** The step, the longest interval and the last possible day of each type, from the most to the least frequent. */
export const FREQUENCY_BOUNDS = {
  daily: { unit: 'days', size: 1, longestInterval: 365, lastDay: null, noun: 'day' },
  weekly: { unit: 'days', size: 7, longestInterval: 52, lastDay: 7, noun: 'week' },
  monthly: { unit: 'months', size: 1, longestInterval: 12, lastDay: 31, noun: 'month' },
  quarterly: { unit: 'months', size: 3, longestInterval: 4, lastDay: 31, noun: 'quarter' },
  yearly: { unit: 'months', size: 12, longestInterval: 10, lastDay: 31, noun: 'year' },
} as const satisfies Readonly<Record<string, Rule>>;

export type FrequencyType = keyof typeof FREQUENCY_BOUNDS;

/** Every type, from the most to the least frequent. */
export const FREQUENCY_TYPES = Object.keys(FREQUENCY_BOUNDS) as readonly FrequencyType[];

/** How often to collect, with every field filled in. */
export interface Frequency {
  type: FrequencyType;
  /** 1 (Monday) to 7 for weekly, 1 to 31 for monthly and longer; null only for daily. */
  day: number | null;
  interval: number;
}

/** The step between the possible dates of a frequency. */
export interface Step {
  unit: Rule['unit'];
  size: number;
}

/** The bounds of an interval and a day while the type itself is invalid. */
const ANY_TYPE = { longestInterval: 365, lastDay: 31 };

function isFrequencyType(value: unknown): value is FrequencyType {
  return typeof value === 'string' && Object.hasOwn(FREQUENCY_BOUNDS, value);
}

/** Returns the distance between two occurrences: a number of days, or of calendar months. */
export function stepOf(frequency: Frequency): Step {
  const { unit, size } = FREQUENCY_BOUNDS[frequency.type];
  return { unit, size: size * frequency.interval };
}

/**
 * Fills in the fields that a valid frequency left out: `interval` is 1, `day` is that of `from` (the start date, else today, in
 * the merchant's time zone).
 */
export function normaliseFrequency(
  input: FrequencyType | { type: FrequencyType; day?: number; interval?: number },
  from: Temporal.ZonedDateTime,
): Frequency {
  const { type, day, interval = 1 } = typeof input === 'string' ? { type: input } : input;
  if (type === 'daily') return { type, day: null, interval };
  return { type, day: day ?? (type === 'weekly' ? from.dayOfWeek : from.day), interval };
}

/**
 * Returns what is wrong with a frequency as received, an object or the shorthand string, by dotted path (`frequency.type`,
 * `frequency.day`, `frequency.interval`, or `frequency` itself); empty if it is valid. Reports every wrong field at once.
 */
export function frequencyErrors(input: unknown): Record<string, string> {
  const types = FREQUENCY_TYPES.join(', ');
  if (typeof input === 'string') {
    return isFrequencyType(input) ? {} : { frequency: `must be one of: ${types}` };
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { frequency: 'must be an object with type, day and interval, or the type alone' };
  }
  const { type, day, interval, ...unknown } = input as Record<string, unknown>;
  const rule: Pick<Rule, 'longestInterval' | 'lastDay'> = isFrequencyType(type)
    ? FREQUENCY_BOUNDS[type]
    : ANY_TYPE;
  const errors: Record<string, string> = {};
  if (!isFrequencyType(type)) errors['frequency.type'] = `must be one of: ${types}`;
  if (day !== undefined && !isWithin(day, rule.lastDay ?? 0)) {
    errors['frequency.day'] = messageOfDay(rule.lastDay);
  }
  if (interval !== undefined && !isWithin(interval, rule.longestInterval)) {
    errors['frequency.interval'] = `must be a whole number from 1 to ${rule.longestInterval}`;
  }
  for (const name of Object.keys(unknown)) errors[`frequency.${name}`] = 'is not a known field';
  return errors;
}

function isWithin(value: unknown, last: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= last;
}

function messageOfDay(lastDay: number | null): string {
  if (lastDay === null) return 'has no meaning for a daily frequency: leave it out';
  if (lastDay === 7) return 'must be a whole number from 1 (Monday) to 7 (Sunday)';
  return `must be a whole number from 1 to ${lastDay}`;
}
