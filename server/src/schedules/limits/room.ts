import type { StoredControlParameters } from '../../consents/consent.ts';
import { earlier, isAfter, later } from '../../platform/values/instants.ts';
import { describeAmount } from '../terms/describe.ts';
import { firstIndexAfter } from '../terms/occurrences.ts';
import {
  type Collection,
  type CollectionTerms,
  type ControlParameters,
  endOfDay,
  firstIndexFrom,
  fits,
  headroomNow,
  type LimitHeadroom,
  ownCollections,
  type Refusal,
  refusedAlone,
  startOfDay,
} from './headroom.ts';
import { BANK_TIME_ZONE, dateIn, type PeriodicLimit, windowOf } from './limit-window.ts';

export {
  type Collection,
  type CollectionTerms,
  type ControlParameters,
  firstCollection,
  firstRefusal,
  type LimitHeadroom,
  startOfDay,
} from './headroom.ts';
export { BANK_TIME_ZONE } from './limit-window.ts';

/**
 * Whether it fits: what the limits of a consent leave beside what was collected under it, or is to come, in the same period.
 * Whoever asks about limits asks here.
 */

/** The limits of a consent, and what uses them. */
export interface ConsentRoom<U extends Collection = Collection> {
  params: ControlParameters;
  /** The payments that count against them. */
  used: U[];
  toCome: readonly ToCome[];
}

/** Returns the room under a consent by its stored limits; null: nothing was agreed to yet. */
export function roomUnder<U extends Collection>(
  stored: StoredControlParameters | null,
  used: readonly U[] = [],
  toCome: readonly ToCome[] = [],
): ConsentRoom<U> | null {
  if (stored === null) return null;
  const params = {
    validFrom: Temporal.Instant.from(stored.validFrom),
    validTo: stored.validTo === null ? null : Temporal.Instant.from(stored.validTo),
    maximumAmountPence: stored.maximumAmountPence,
    periodicLimits: stored.periodicLimits as PeriodicLimit[],
  };
  return { params, used: [...used], toCome };
}

/** A schedule under a consent, and from when its occurrences are still to be collected. */
export interface ToCome {
  terms: CollectionTerms;
  from: Temporal.Instant;
}

/**
 * Returns why a payment besides the coming occurrences (a retry, a delayed one) would be refused, or would use up what they need
 * in the same period; null if it fits. Only the periods of the payment itself are checked.
 */
export function refusalBeside(room: ConsentRoom, payment: Collection): string | null {
  const tooFull = headroomAt(room, payment.at).find(({ left }) => payment.amountPence > left);
  if (tooFull === undefined) return refusedAlone(room.params, payment);
  const { left, periodStart, periodEnd } = tooFull;
  return `more than the ${describeAmount(left)} left from ${periodStart} to ${periodEnd}`;
}

/**
 * Returns how much of each limit is used in the period that contains `at`, counting what was collected and what is to come in it.
 */
function headroomAt({ params, used, toCome }: ConsentRoom, at: Temporal.Instant): LimitHeadroom[] {
  const windows = params.periodicLimits.map((limit) => windowOf(limit, params.validFrom, at));
  const ends = windows.map(({ end }) => endOfDay(startOfDay(end), BANK_TIME_ZONE));
  const until = ends.reduce((last, end) => later(end, last), at);
  const starts = windows.map(({ start }) => startOfDay(start));
  const since = starts.reduce((first, start) => earlier(first, start), at);
  const coming = toCome.flatMap(({ terms, from }) => {
    const first = later(from, since);
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
export function limitUses(
  { params, used, toCome }: ConsentRoom<CountedPayment>,
  now: Temporal.Instant,
): LimitUse[] {
  const at = later(params.validFrom, now);
  const [waiting, sent] = [true, false].map((is) => used.filter((p) => p.isWaiting === is));
  // What is overdue is sent now at the earliest.
  const fromNow = (waiting ?? []).map((p) => (isAfter(now, p.at) ? { ...p, at: now } : p));
  const planned = headroomAt({ params, used: fromNow, toCome }, at);
  return headroomNow(params, sent ?? [], at).map((one, n) => ({
    ...one,
    planned: planned[n]?.used ?? 0,
  }));
}

/** Returns what may still be collected at `at`, in pence, given what was collected and what is to come in the same period. */
export function availablePence(room: ConsentRoom, at: Temporal.Instant): number {
  if (refusedAlone(room.params, { at, amountPence: 0 }) !== null) return 0;
  const left = headroomAt(room, at).map((headroom) => headroom.left);
  return Math.min(room.params.maximumAmountPence, ...left);
}

/**
 * Returns the first moment from `from` at which a payment fits besides the occurrences; null if there is none within two years.
 * Room is freed only at the start of a period.
 */
function firstRoom(
  room: ConsentRoom,
  amountPence: number,
  from: Temporal.Instant,
): Temporal.Instant | null {
  const { params } = room;
  const until = from.add({ hours: 24 * 366 * 2 });
  const last = earlier(until, params.validTo);
  let at = later(params.validFrom, from);
  while (!isAfter(at, last)) {
    if (refusalBeside(room, { at, amountPence }) === null) return at;
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
  return others.reduce((soonest, start) => earlier(soonest, start), first);
}

/** Returns the day of an instant at the bank: the periods of limits start and end with a day. */
export const bankDate = (at: Temporal.Instant): Temporal.PlainDate => dateIn(at, BANK_TIME_ZONE);

/** Whether two moments are in the same period of every limit. */
export function isSamePeriod(
  { params }: ConsentRoom,
  one: Temporal.Instant,
  other: Temporal.Instant,
): boolean {
  return params.periodicLimits.every((limit) =>
    windowOf(limit, params.validFrom, one).start.equals(
      windowOf(limit, params.validFrom, other).start,
    ),
  );
}

/** The customer's limits have no room for a payment besides the coming payments. */
export interface NoRoom {
  /** What could be collected at that moment, in pence. */
  availablePence: number;
  /** The first moment with room; null if there is none within two years. */
  availableFrom: Temporal.Instant | null;
  /** Why the consent refuses the payment whatever else is collected under it; null: it does not, and lacks room. */
  alone: string | null;
}

/** Returns what the limits leave at `at` for a payment besides the coming payments, if that is too little; null if it fits. */
export function noRoom(
  room: ConsentRoom,
  amountPence: number,
  at: Temporal.Instant,
): NoRoom | null {
  if (refusalBeside(room, { at, amountPence }) === null) return null;
  return {
    availablePence: availablePence(room, at),
    availableFrom: firstRoom(room, amountPence, at),
    alone: aloneRefusal(room.params, { at, amountPence }),
  };
}

/** Says in a sentence for merchants why a consent refuses a payment regardless of any others; null: it does not. */
function aloneRefusal(params: ControlParameters, payment: Collection): string | null {
  const { validFrom, validTo, maximumAmountPence } = params;
  if (refusedAlone(params, payment) === null) return null;
  if (isAfter(validFrom, payment.at))
    return `The customer's consent begins on ${longDate(validFrom)}: nothing can be collected before.`;
  if (validTo !== null && isAfter(payment.at, validTo))
    return `The customer's consent ends on ${longDate(validTo)}.`;
  return `The customer allows at most ${describeAmount(maximumAmountPence)} for one payment.`;
}

const longDate = (at: Temporal.Instant): string =>
  bankDate(at).toLocaleString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** Describes it for merchants, with the true reason: "The customer's limits leave £0.00 for it now, …". */
export function describeNoRoom(
  { availablePence, availableFrom, alone }: NoRoom,
  when: 'now' | 'then' = 'now',
): string {
  const left = describeAmount(availablePence);
  const why =
    alone ?? `The customer's limits leave ${left} for it ${when}, besides the coming payments.`;
  return availableFrom === null
    ? `${why} Under this consent it can't be collected any more.`
    : `${why} It can be collected by hand from ${longDate(availableFrom)}.`;
}

/** Returns the first of `collections`, in order of time, that the limits refuse beside what was used; null if all fit. */
export function firstRefused(
  { params, used }: ConsentRoom,
  collections: readonly Collection[],
): Refusal | null {
  return fits(params, collections, BANK_TIME_ZONE, used);
}

/** Returns a schedule's own collections in the year after `now`. */
export function comingYear(terms: CollectionTerms, now: Temporal.Instant): Collection[] {
  return ownCollections(terms, firstIndexAfter(terms.series, now), now.add({ hours: 24 * 366 }));
}
