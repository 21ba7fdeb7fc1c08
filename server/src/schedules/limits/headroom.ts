import { compareInstants, isAfter, later } from '../../platform/values/instants.ts';
import { type Changes, NO_CHANGES } from '../terms/amounts.ts';
import { describeAmount } from '../terms/describe.ts';
import { firstIndexAfter, occurrence, type Series } from '../terms/occurrences.ts';
import { allowance, BANK_TIME_ZONE, dateIn, type PeriodicLimit } from './limit-window.ts';

/** What a bank consent allows. */
export interface ControlParameters {
  validFrom: Temporal.Instant;
  /** The last moment of validity; null: no end. */
  validTo: Temporal.Instant | null;
  maximumAmountPence: number;
  periodicLimits: PeriodicLimit[];
}

/** The terms of a schedule that a consent must allow. */
export interface CollectionTerms {
  amountPence: number;
  series: Series;
  /** What was set for single occurrences; the others take `amountPence`. */
  changes?: Changes;
  firstPence?: number | null;
}

/** A payment that counts, or would count, against a consent. Leave out rejected payments: they do not count. */
export interface Collection {
  at: Temporal.Instant;
  /**
   * Until when the bank may have taken it, of one that was sent more than once; absent or null: it did at `at`. In doubt it
   * counts in each period.
   */
  lastAt?: Temporal.Instant | null;
  amountPence: number;
}

export interface Refusal {
  at: Temporal.Instant;
  reason: string;
}

/** How much of a limit is used in one period, in pence. */
export interface LimitHeadroom {
  limit: PeriodicLimit;
  used: number;
  left: number;
  periodStart: Temporal.PlainDate;
  /** The last day of the period, included. */
  periodEnd: Temporal.PlainDate;
}

/** A daily schedule in a leap year; nothing occurs more often. */
const MAX_OCCURRENCES_PER_YEAR = 367;

/**
 * Returns the first of `collections`, in order of time, that the control parameters refuse, and why; null if all fit. `used` was
 * collected before: it takes room, and is not refused itself.
 */
export function fits(
  params: ControlParameters,
  collections: readonly Collection[],
  timeZone = BANK_TIME_ZONE,
  used: readonly Collection[] = [],
): Refusal | null {
  const usedByPeriod = new Map<string, number>();
  for (const one of used) refusedByPeriod(params, usedByPeriod, one, timeZone);
  const inOrder = [...collections].sort((a, b) => compareInstants(a.at, b.at));
  for (const collection of inOrder) {
    const reason =
      refusedAlone(params, collection) ??
      refusedByPeriod(params, usedByPeriod, collection, timeZone);
    if (reason) return { at: collection.at, reason };
  }
  return null;
}

/** Returns the first payment of terms that have one, collected at a moment. */
export function firstCollection(
  { firstPence }: Pick<CollectionTerms, 'firstPence'>,
  at: Temporal.Instant,
): Collection[] {
  return firstPence ? [{ at, amountPence: firstPence }] : [];
}

/**
 * Returns the first of a schedule's own occurrences in the twelve months from `from`, and of the collections beside them, that
 * the control parameters would refuse; null if all fit.
 */
export function firstRefusal(
  params: ControlParameters,
  terms: CollectionTerms,
  from: Temporal.Instant,
  beside: readonly Collection[] = [],
): Refusal | null {
  const { series } = terms;
  const until = from.toZonedDateTimeISO(series.timeZone).add({ years: 1 }).toInstant();
  return fits(params, [...beside, ...ownCollections(terms, firstIndexFrom(series, from), until)]);
}

/** Returns how much of each limit is used in the period that contains `at`; before the first period, in that one. */
export function headroomNow(
  params: ControlParameters,
  used: readonly Collection[],
  at: Temporal.Instant,
  timeZone = BANK_TIME_ZONE,
): LimitHeadroom[] {
  const moment = later(params.validFrom, at);
  return params.periodicLimits.map((limit) => {
    const { window, allowedPence } = allowance(limit, params.validFrom, moment, timeZone);
    const { start, end } = window;
    const usedPence = used
      .filter(({ at: first, lastAt }) => {
        const last = lastAt ?? first;
        return (
          isNotAfter(dateIn(first, timeZone), end) && isNotAfter(start, dateIn(last, timeZone))
        );
      })
      .reduce((sum, collection) => sum + collection.amountPence, 0);
    const left = Math.max(0, allowedPence - usedPence);
    return { limit, used: usedPence, left, periodStart: start, periodEnd: end };
  });
}

/** Returns why the control parameters refuse a collection regardless of any others; null if they do not. */
export function refusedAlone(
  params: ControlParameters,
  { at, amountPence }: Collection,
): string | null {
  if (isAfter(params.validFrom, at)) return 'the consent is not valid yet';
  if (params.validTo && isAfter(at, params.validTo)) return 'the consent has ended';
  if (amountPence > params.maximumAmountPence) {
    return `more than ${describeAmount(params.maximumAmountPence)}, the most for one payment`;
  }
  return null;
}

/** Counts a collection against each limit; returns the reason of the first that is exceeded. */
function refusedByPeriod(
  params: ControlParameters,
  usedByPeriod: Map<string, number>,
  { at, lastAt, amountPence }: Collection,
  timeZone: string,
): string | null {
  let reason: string | null = null;
  for (const [index, limit] of params.periodicLimits.entries())
    for (const { window, allowedPence } of allowancesOf(
      params,
      limit,
      [at, lastAt ?? at],
      timeZone,
    )) {
      const [start, end] = [window.start.toString(), window.end.toString()];
      const key = `${index} ${start}`;
      const used = (usedByPeriod.get(key) ?? 0) + amountPence;
      usedByPeriod.set(key, used);
      if (used > allowedPence)
        reason ??= `more than ${describeAmount(allowedPence)} from ${start} to ${end}`;
    }
  return reason;
}

/** Returns what a limit allows in the periods of two moments: once where they are in one. */
function allowancesOf(
  { validFrom }: ControlParameters,
  limit: PeriodicLimit,
  [first, last]: readonly [Temporal.Instant, Temporal.Instant],
  timeZone: string,
) {
  const one = allowance(limit, validFrom, first, timeZone);
  if (first.equals(last)) return [one];
  const other = allowance(limit, validFrom, last, timeZone);
  return other.window.start.equals(one.window.start) ? [one] : [one, other];
}

/** Returns the schedule's collections from an index up to and including `until`; skipped ones take nothing. */
export function ownCollections(
  { amountPence, series, changes = NO_CHANGES }: CollectionTerms,
  first: number,
  until: Temporal.Instant,
): Collection[] {
  const collections: Collection[] = [];
  for (let n = first; n < first + MAX_OCCURRENCES_PER_YEAR; n += 1) {
    const at = occurrence(series, n);
    if (at === null || isAfter(at, until)) break;
    const set = changes.get(at.epochMilliseconds);
    if (set !== null) collections.push({ at, amountPence: set ?? amountPence });
  }
  return collections;
}

/** Returns the smallest index whose occurrence is at or after `from`. */
export function firstIndexFrom(series: Series, from: Temporal.Instant): number {
  return firstIndexAfter(series, from.subtract({ nanoseconds: 1 }));
}

/** Returns when the bank's day begins. */
export function startOfDay(date: Temporal.PlainDate): Temporal.Instant {
  return date.toZonedDateTime(BANK_TIME_ZONE).toInstant();
}

/** Returns the last millisecond of the day of an instant. */
export function endOfDay(at: Temporal.Instant, timeZone: string): Temporal.Instant {
  const nextDay = dateIn(at, timeZone).add({ days: 1 });
  return nextDay.toZonedDateTime(timeZone).toInstant().subtract({ milliseconds: 1 });
}

const isNotAfter = (one: Temporal.PlainDate, other: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(one, other) <= 0;
