import { workingDayFrom } from './days.ts';

// When a schedule collects, computed by walking over the calendar; the product's arithmetic of series has no part in it.

export type FrequencyName = 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly';
export type Frequency =
  | FrequencyName
  | { type: FrequencyName; day?: number | null; interval?: number };
export type Policy = 'same' | 'next' | 'previous';

/** The dates and the time of day that a schedule collects at, before days that are no working days move. */
export interface Rhythm {
  type: FrequencyName;
  /** Of the week or the month; null: every day. */
  day: number | null;
  interval: number;
  zone: string;
  time: Temporal.PlainTime;
  /** The date of the first occurrence, and its moment. */
  firstOn: Temporal.PlainDate;
  firstAt: number;
  /** The start, or when it was asked for: no occurrence moves before it. */
  notBefore: number;
  /** The moments that were computed before, by policy and number. */
  readonly known: Map<string, number>;
}

/** What of the terms decides when the n-th occurrence is. */
export interface Timing {
  rhythm: Rhythm;
  policy: Policy;
  /** Nothing is collected after it; null: no end. */
  endAt: number | null;
}

/** The length of those that go by months. */
const MONTHS: Readonly<Record<Exclude<FrequencyName, 'daily' | 'weekly'>, number>> = {
  monthly: 1,
  quarterly: 3,
  yearly: 12,
};
const DEFAULT_TIME = Temporal.PlainTime.from('09:00');
/** More occurrences than any simulated time has. */
const MAX_OCCURRENCES = 100_000;

/** Begins a rhythm at `startAt`, or, where that has passed or was not given, with the first match after now. */
export function beginRhythm(
  frequency: Frequency,
  startAt: number | null,
  now: number,
  zone: string,
): Rhythm {
  const given = typeof frequency === 'string' ? { type: frequency } : frequency;
  const local = (at: number): Temporal.ZonedDateTime =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  const asked = local(startAt ?? now);
  const time = startAt === null ? DEFAULT_TIME : asked.toPlainTime();
  const byDefault = { daily: null, weekly: asked.dayOfWeek }[given.type as 'daily'];
  const day = given.type === 'daily' ? null : (given.day ?? byDefault ?? asked.day);
  const isAhead = startAt !== null && startAt >= now;
  const from = isAhead ? startAt : now;
  const interval = given.interval ?? 1;
  const rhythm = { type: given.type, day, interval, zone, time, notBefore: from };
  let date = local(from).toPlainDate();
  if (isAhead && matches(rhythm, date) && local(from).toPlainTime().equals(time))
    return { ...rhythm, firstOn: date, firstAt: from, known: new Map() };
  for (date = date.subtract({ days: 1 }); ; date = date.add({ days: 1 })) {
    const at = momentOn(rhythm, date);
    if (matches(rhythm, date) && (isAhead ? at >= from : at > from))
      return { ...rhythm, firstOn: date, firstAt: at, known: new Map() };
  }
}

function matches({ type, day }: Pick<Rhythm, 'type' | 'day'>, date: Temporal.PlainDate): boolean {
  if (type === 'daily' || day === null) return true;
  return type === 'weekly' ? date.dayOfWeek === day : date.day === Math.min(day, date.daysInMonth);
}

const momentOn = (
  { zone, time }: Pick<Rhythm, 'zone' | 'time'>,
  date: Temporal.PlainDate,
): number => date.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;

/** The date of the n-th occurrence, wherever it moves. */
function dateOf({ type, day, interval, firstOn }: Rhythm, n: number): Temporal.PlainDate {
  if (type === 'daily') return firstOn.add({ days: n * interval });
  if (type === 'weekly') return firstOn.add({ days: 7 * n * interval });
  const months = firstOn.year * 12 + firstOn.month - 1 + n * interval * MONTHS[type];
  const first = new Temporal.PlainDate(Math.floor(months / 12), (months % 12) + 1, 1);
  return first.with({ day: Math.min(day ?? 1, first.daysInMonth) });
}

const nominal = (rhythm: Rhythm, n: number): number =>
  n === 0 ? rhythm.firstAt : momentOn(rhythm, dateOf(rhythm, n));

/** Returns when the n-th occurrence is collected, in milliseconds; null: it is after the end. */
export function momentOf(timing: Timing, n: number): number | null {
  const { rhythm, policy, endAt } = timing;
  const key = `${policy} ${endAt} ${n}`;
  const known = rhythm.known.get(key);
  if (known !== undefined) return Number.isNaN(known) ? null : known;
  const at = compute(timing, n);
  rhythm.known.set(key, at ?? Number.NaN);
  return at;
}

function compute({ rhythm, policy, endAt }: Timing, n: number): number | null {
  const at = nominal(rhythm, n);
  if (endAt !== null && at > endAt) return null;
  if (policy === 'same') return at;
  const date = n === 0 ? rhythm.firstOn : dateOf(rhythm, n);
  const steps = policy === 'next' ? ([1, -1] as const) : ([-1, 1] as const);
  for (const step of steps) {
    const day = workingDayFrom(date, step);
    if (day.equals(date)) return at;
    const moved = momentOn(rhythm, day);
    if (moved >= rhythm.notBefore && (endAt === null || moved <= endAt)) return moved;
  }
  return at;
}

/** Returns the number of the first occurrence after a moment, as if there were no end. */
export function firstAfter({ rhythm, policy }: Timing, at: number): number {
  for (let n = 0; n < MAX_OCCURRENCES; n++)
    if ((momentOf({ rhythm, policy, endAt: null }, n) ?? 0) > at) return n;
  throw new Error('a rhythm that never comes');
}

/** Whether two rhythms have the same dates and differ at most in what becomes of days that are no working days. */
export const isSameRhythm = (a: Rhythm, b: Rhythm): boolean =>
  a.type === b.type &&
  a.day === b.day &&
  a.interval === b.interval &&
  a.zone === b.zone &&
  a.firstAt === b.firstAt;
