import { describeAmount } from './describe.ts';
import {
  BANK_TIME_ZONE,
  type Collection,
  type CollectionTerms,
  type ControlParameters,
  endOfDay,
  firstIndexFrom,
  headroomNow,
  isAfter,
  type LimitHeadroom,
  ownCollections,
  refusedAlone,
  startOfDay,
} from './headroom.ts';
import { windowOf } from './limit-window.ts';

/**
 * Room under a consent for a payment that is not one of the coming occurrences (a retry, a delayed occurrence): what the limits
 * leave after everything collected, and still to be collected, in the same period.
 */

/** A schedule under a consent, and from when its occurrences are still to be collected. */
export interface ToCome {
  terms: CollectionTerms;
  from: Temporal.Instant;
}

/**
 * Returns why a retry would be refused, or would use up what coming occurrences of the schedules under the consent need in the
 * same period; null if it fits. `used` are the other payments under the consent. Only the periods of the retry itself are
 * checked.
 */
export function retryRefusal(
  params: ControlParameters,
  retry: Collection,
  used: readonly Collection[],
  toCome: readonly ToCome[],
): string | null {
  const tooFull = headroomBeside(params, used, toCome, retry.at).find(
    ({ left }) => retry.amountPence > left,
  );
  if (tooFull === undefined) return refusedAlone(params, retry);
  const { left, periodStart, periodEnd } = tooFull;
  return `more than the ${describeAmount(left)} left from ${periodStart} to ${periodEnd}`;
}

/**
 * Returns how much of each limit is used in the period that contains `at`, counting what was collected and what is to come in it.
 */
function headroomBeside(
  params: ControlParameters,
  used: readonly Collection[],
  toCome: readonly ToCome[],
  at: Temporal.Instant,
): LimitHeadroom[] {
  const windows = params.periodicLimits.map((limit) => windowOf(limit, params.validFrom, at));
  const ends = windows.map(({ end }) => endOfDay(startOfDay(end), BANK_TIME_ZONE));
  const until = ends.reduce((last, end) => (isAfter(end, last) ? end : last), at);
  const starts = windows.map(({ start }) => startOfDay(start));
  const since = starts.reduce((first, start) => (isAfter(first, start) ? start : first), at);
  const coming = toCome.flatMap(({ terms, from }) => {
    const first = isAfter(from, since) ? from : since;
    return ownCollections(terms, firstIndexFrom(terms.series, first), until);
  });
  return headroomNow(params, [...used, ...coming], at);
}

/** A payment under a consent that did not fail. */
export interface CountedPayment extends Collection {
  /** Its current attempt has not been sent to the bank: it is due, waits for a retry, or is planned for later. */
  isWaiting: boolean;
}

/** How far a limit is used in one period, and what is planned in it. */
export interface LimitUse extends LimitHeadroom {
  /** What waits to be sent and what is still to come in the period, in pence: not used, but `left` has to suffice for it. */
  planned: number;
}

/** Returns the standing of each limit in the period that contains `now`; before the first period, in that one. */
export function limitStandings(
  params: ControlParameters,
  payments: readonly CountedPayment[],
  toCome: readonly ToCome[],
  now: Temporal.Instant,
): LimitUse[] {
  const at = isAfter(params.validFrom, now) ? params.validFrom : now;
  const [waiting, sent] = [true, false].map((is) => payments.filter((p) => p.isWaiting === is));
  // What is overdue is sent now at the earliest.
  const fromNow = (waiting ?? []).map((p) => (isAfter(now, p.at) ? { ...p, at: now } : p));
  const planned = headroomBeside(params, fromNow, toCome, at);
  return headroomNow(params, sent ?? [], at).map((one, n) => ({
    ...one,
    planned: planned[n]?.used ?? 0,
  }));
}

/** Returns what may still be collected at `at`, in pence, given what was collected and what is to come in the same period. */
export function availablePence(
  params: ControlParameters,
  used: readonly Collection[],
  toCome: readonly ToCome[],
  at: Temporal.Instant,
): number {
  if (refusedAlone(params, { at, amountPence: 0 }) !== null) return 0;
  const left = headroomBeside(params, used, toCome, at).map((headroom) => headroom.left);
  return Math.min(params.maximumAmountPence, ...left);
}

/**
 * Returns the first moment from `from` at which a payment fits besides the occurrences; null if there is none within two years.
 * Room is freed only at the start of a period.
 */
export function firstRoom(
  params: ControlParameters,
  amountPence: number,
  used: readonly Collection[],
  toCome: readonly ToCome[],
  from: Temporal.Instant,
): Temporal.Instant | null {
  const until = from.add({ hours: 24 * 366 * 2 });
  const last = params.validTo !== null && isAfter(until, params.validTo) ? params.validTo : until;
  let at = isAfter(params.validFrom, from) ? params.validFrom : from;
  while (!isAfter(at, last)) {
    if (retryRefusal(params, { at, amountPence }, used, toCome) === null) return at;
    at = nextPeriod(params, at);
  }
  return null;
}

/** Returns when the next period of any limit begins; far in the future if there is no limit. */
function nextPeriod(params: ControlParameters, at: Temporal.Instant): Temporal.Instant {
  const starts = params.periodicLimits.map((limit) =>
    startOfDay(windowOf(limit, params.validFrom, at).end.add({ days: 1 })),
  );
  const [first, ...others] = starts;
  if (first === undefined) return at.add({ hours: 24 * 366 * 3 });
  return others.reduce((soonest, start) => (isAfter(soonest, start) ? start : soonest), first);
}

/** Whether two moments are in the same period of every limit. */
export function isSamePeriod(
  params: ControlParameters,
  one: Temporal.Instant,
  other: Temporal.Instant,
): boolean {
  return params.periodicLimits.every((limit) =>
    windowOf(limit, params.validFrom, one).start.equals(
      windowOf(limit, params.validFrom, other).start,
    ),
  );
}
