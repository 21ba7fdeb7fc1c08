import {
  addMonths,
  dateOfDay,
  dayOf,
  dayOfWeek,
  instantOf,
  type LocalTime,
  localTimeOf,
  monthsBetween,
  msOfTime,
} from '../../platform/time/local-time.ts';
import { compareInstants, isAfter, isBefore } from '../../platform/values/instants.ts';
import type { Frequency } from './frequency.ts';
import { stepOf } from './frequency.ts';
import { type NonWorkingDay, workingDay } from './working-day.ts';

/** The occurrences of a schedule; `firstAt` is the nominal moment of occurrence 0, which may move to a working day. */
export interface Series {
  frequency: Frequency;
  firstAt: Temporal.Instant;
  timeZone: string;
  /** An occurrence exactly at this moment still counts; null: no end. */
  endAt: Temporal.Instant | null;
  /**
   * The requested wall-clock time. Needed only if it differs from the local time of `firstAt`: when the first occurrence itself
   * fell into the hour that a clock change skips.
   */
  timeOfDay?: Temporal.PlainTime;
  /** Where an occurrence goes that falls on no working day; absent: it stays. */
  nonWorkingDay?: NonWorkingDay;
  /** The start date, or when the series was planned: none moves before it. Absent or null: `firstAt`. */
  notBefore?: Temporal.Instant | null;
}

/** From where on occurrences count: none before an index, and strictly after a moment if one is given. */
export interface Since {
  after: Temporal.Instant | null;
  index: number;
}

export interface Upcoming {
  dueDate: Temporal.Instant;
  /** Why the date or the time differs from the requested one; null if it does not. */
  reason: string | null;
}

/** What all occurrences of a series share, computed once: the wall-clock time of occurrence 0 as it was requested. */
type Lattice = LocalTime;

const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

const MIDNIGHT = Temporal.PlainTime.from('00:00');

/** The estimate starts two steps low, and clock changes shift it by less than two days more. */
const LARGEST_ADJUSTMENT = 6;

/**
 * Returns the first moment that matches `frequency` at `timeOfDay`: at or after `from` when `inclusive`, else strictly
 * after it. See docs/rules/schedules.md#the-first-occurrence.
 */
export function firstOccurrence(
  frequency: Frequency,
  from: Temporal.Instant,
  inclusive: boolean,
  timeOfDay: Temporal.PlainTime,
  timeZone: string,
): Temporal.Instant {
  const { day: today, ms: now } = localTimeOf(from, timeZone);
  const ms = msOfTime(timeOfDay);
  // When the clocks go back, a wall-clock time occurs twice. A start at the second of the two matches already, and must not
  // wait for the next occurrence.
  if (inclusive && candidateDay(frequency, today, 0) === today && now === ms) return from;
  // The candidate before today's counts too: a clock change can shift it past midnight.
  for (let k = -1; k <= 2; k += 1) {
    const at = instantOf({ day: candidateDay(frequency, today, k), ms }, timeZone);
    const order = compareInstants(at, from);
    if (order > 0 || (inclusive && order === 0)) return at;
  }
  throw new RangeError(`No occurrence of a ${frequency.type} frequency after ${from.toString()}`);
}

/**
 * Returns occurrence `n` (0, 1, 2 …), a function of the series and `n` alone; null after `endAt`. The wall-clock time is kept
 * across clock changes; in a month that lacks the day it is the last day, without drift. Throws RangeError if `n` is not an
 * index.
 */
export function occurrence(series: Series, n: number): Temporal.Instant | null {
  const lattice = latticeOf(series);
  return isPastEnd(series, nominalPoint(series, lattice, n))
    ? null
    : latticePoint(series, lattice, n);
}

/** Whether two series have the same occurrences, apart from what happens to non-working days and from their end. */
export function hasSameDays(a: Series, b: Series): boolean {
  const { type, day, interval } = a.frequency;
  const isSameFrequency =
    type === b.frequency.type && day === b.frequency.day && interval === b.frequency.interval;
  return isSameFrequency && a.firstAt.equals(b.firstAt) && a.timeZone === b.timeZone;
}

/**
 * Returns the smallest `n` whose occurrence is strictly after `at`. Ignores `endAt`: after the end of the series, `occurrence`
 * returns null for the result. Takes constant time, however far away `at` is.
 */
export function firstIndexAfter(series: Series, at: Temporal.Instant): number {
  const lattice = latticeOf(series);
  const { day } = localTimeOf(at, series.timeZone);
  let n = Math.max(0, stepsBetween(series.frequency, lattice.day, day) - 2);
  for (let tries = 0; tries < LARGEST_ADJUSTMENT; tries += 1, n += 1) {
    if (isAfter(latticePoint(series, lattice, n), at)) return n;
  }
  throw new RangeError(`No occurrence found after ${at.toString()}`);
}

/** Returns the smallest index of those that count. */
export function firstIndexSince(series: Series, { after, index }: Since): number {
  return after === null ? index : Math.max(index, firstIndexAfter(series, after));
}

/** Returns at most `limit` occurrences of those that count, each with the reason for anything unusual. */
export function upcoming(series: Series, since: Since, limit: number): Upcoming[] {
  const lattice = latticeOf(series);
  const start = firstIndexSince(series, since);
  const coming: Upcoming[] = [];
  for (let n = start; n < start + limit; n += 1) {
    if (isPastEnd(series, nominalPoint(series, lattice, n))) break;
    const dueDate = latticePoint(series, lattice, n);
    coming.push({ dueDate, reason: reasonFor(series, lattice, n) });
  }
  return coming;
}

function latticeOf({ firstAt, timeZone, timeOfDay }: Series): Lattice {
  const { day, ms: localMs } = localTimeOf(firstAt, timeZone);
  const ms = timeOfDay === undefined ? localMs : msOfTime(timeOfDay);
  // A clock change late in the evening may have shifted the first occurrence past midnight.
  const isMoved = ms !== localMs && instantOf({ day: day - 1, ms }, timeZone).equals(firstAt);
  return { day: isMoved ? day - 1 : day, ms };
}

function latticePoint(series: Series, lattice: Lattice, n: number): Temporal.Instant {
  return placeOccurrence(series, lattice, n).at;
}

/** Where an occurrence falls, and the days to which it could not move because they lie before the start or after the end. */
interface PlacedOccurrence {
  at: Temporal.Instant;
  closed: Temporal.PlainDate[];
}

function placeOccurrence(series: Series, lattice: Lattice, n: number): PlacedOccurrence {
  const nominal = nominalPoint(series, lattice, n);
  const { nonWorkingDay: policy = 'same' } = series;
  const closed: Temporal.PlainDate[] = [];
  if (policy === 'same') return { at: nominal, closed };
  const date = dateOfDay(nominalDay(series.frequency, lattice.day, n));
  for (const direction of DIRECTIONS[policy]) {
    const day = workingDay(date, direction);
    if (day.equals(date)) return { at: nominal, closed };
    const at = instantOf({ day: dayOf(day), ms: lattice.ms }, series.timeZone);
    const isEarly = isBefore(at, series.notBefore ?? series.firstAt);
    if (!isEarly && !isPastEnd(series, at)) return { at, closed };
    closed.push(day);
  }
  return { at: nominal, closed }; // neither way is there a working day between start and end
}

/** Where a day that is no working day goes: the other way only where the start or the end is in between. */
const DIRECTIONS = { next: ['next', 'previous'], previous: ['previous', 'next'] } as const;

/** Returns the moment of occurrence `n` where no day has to be a working day. */
function nominalPoint(series: Series, lattice: Lattice, n: number): Temporal.Instant {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`Not an index: ${n}`);
  if (n === 0) return series.firstAt;
  const { frequency, timeZone } = series;
  return instantOf({ day: nominalDay(frequency, lattice.day, n), ms: lattice.ms }, timeZone);
}

/**
 * Returns the nominal day, `n` steps from an occurrence on `anchor`: steps are counted from the anchor's month, then the day is
 * set. Clock changes are ignored.
 */
function nominalDay(frequency: Frequency, anchor: number, n: number): number {
  const { unit, size } = stepOf(frequency);
  if (n === 0) return anchor;
  return unit === 'days' ? anchor + n * size : addMonths(anchor, n * size, frequency.day);
}

/** Returns the k-th day from `today`'s day, week or month on which `frequency` could start. */
function candidateDay({ type, day }: Frequency, today: number, k: number): number {
  if (type === 'daily') return today + k;
  if (type === 'weekly') return today + (day === null ? 0 : day - dayOfWeek(today)) + 7 * k;
  return addMonths(today, k, day);
}

function stepsBetween(frequency: Frequency, anchor: number, day: number): number {
  const { unit, size } = stepOf(frequency);
  const steps = unit === 'days' ? day - anchor : monthsBetween(anchor, day);
  return Math.floor(steps / size);
}

function isPastEnd(series: Series, at: Temporal.Instant): boolean {
  return series.endAt !== null && isAfter(at, series.endAt);
}

function reasonFor(series: Series, lattice: Lattice, n: number): string | null {
  const { at: dueDate, closed } = placeOccurrence(series, lattice, n);
  const date = dateOfDay(nominalDay(series.frequency, lattice.day, n));
  const isMoved = !nominalPoint(series, lattice, n).equals(dueDate);
  const actual = isMoved ? dueDate.toZonedDateTimeISO(series.timeZone).toPlainDate() : date;
  const reasons = [
    reasonOfDay(series.frequency, date),
    isMoved || closed.length > 0 ? reasonOfMove(date, actual, closed) : null,
    reasonOfClock(
      actual.toPlainDateTime(MIDNIGHT.add({ milliseconds: lattice.ms })),
      dueDate,
      series.timeZone,
    ),
  ].filter((reason) => reason !== null);
  return reasons.length > 0 ? reasons.join('; ') : null;
}

function reasonOfDay(frequency: Frequency, date: Temporal.PlainDate): string | null {
  if (stepOf(frequency).unit === 'days' || (frequency.day ?? 0) <= date.daysInMonth) return null;
  const month = MONTH_NAMES[date.month - 1];
  // 28, 29 or 30: a day that is missing is the last of a longer month.
  return `${month} has ${date.daysInMonth} days, so we collect on the ${date.daysInMonth}th`;
}

/** `closed`: the working days that would have been nearer to what was asked for, and lie outside the schedule. */
function reasonOfMove(
  date: Temporal.PlainDate,
  moved: Temporal.PlainDate,
  closed: readonly Temporal.PlainDate[],
): string {
  const outside = closed.map((day) => {
    const isEarlier = Temporal.PlainDate.compare(day, date) < 0;
    return `${nameOf(day)} is ${isEarlier ? 'before the schedule starts' : 'after it ends'}`;
  });
  const because = outside.length === 0 ? '' : `, because ${outside.join(' and ')}`;
  const goes = moved.equals(date) ? 'it stays' : `${nameOf(moved)} instead`;
  return `${nameOf(date)} is not a working day: ${goes}${because}`;
}

function nameOf(day: Temporal.PlainDate): string {
  const parts = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  return day.toLocaleString('en-GB', parts).replace(',', '');
}

function reasonOfClock(
  asked: Temporal.PlainDateTime,
  dueDate: Temporal.Instant,
  timeZone: string,
): string | null {
  const earlier = asked.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const later = asked.toZonedDateTime(timeZone, { disambiguation: 'later' });
  if (earlier.toInstant().equals(later.toInstant())) return null;
  const actual = dueDate.toZonedDateTimeISO(timeZone);
  if (actual.toPlainDateTime().equals(asked)) {
    const which = actual.toInstant().equals(earlier.toInstant()) ? 'first' : 'second';
    return `the clocks go back: ${clockTime(asked)} comes twice, the ${which} is taken`;
  }
  return `the clocks go forward: ${clockTime(asked)} does not exist, ${clockTime(actual)} instead`;
}

function clockTime(at: Temporal.PlainDateTime | Temporal.ZonedDateTime): string {
  return at.toPlainTime().toString({ smallestUnit: 'minute' });
}
