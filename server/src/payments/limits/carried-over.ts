import { describeAmount } from '../../schedules/terms/describe.ts';
import { BANK_TIME_ZONE, isAfter } from '../../schedules/terms/headroom.ts';
import { dateIn } from '../../schedules/terms/limit-window.ts';
import {
  availablePence,
  firstRoom,
  isSamePeriod,
  retryRefusal,
} from '../../schedules/terms/room.ts';
import type { ConsentRoom } from './consent-room.ts';

/** A payment that was due at `dueDate` and is about to be collected. */
export interface LatePayment {
  paymentId: string;
  dueDate: Temporal.Instant;
  amountPence: number;
}

/** The customer's limits have no room for a payment besides the coming payments. */
export interface NoRoom {
  /** What could be collected at that moment, in pence. */
  availablePence: number;
  /** The first moment with room; null if there is none within two years. */
  availableFrom: Temporal.Instant | null;
}

/** Whether a payment may have left its limit period: periods start and end with a day in the bank's time zone. */
export function mayBeCarriedOver(dueDate: Temporal.Instant, now: Temporal.Instant): boolean {
  return !dateIn(dueDate, BANK_TIME_ZONE).equals(dateIn(now, BANK_TIME_ZONE));
}

/**
 * Decides about a payment that waited, through an outage or for a retry, until its own period was over: it is collected if the
 * new period has room for it besides its own occurrences, never in their place. Among several waiting payments the oldest goes
 * first. Returns null if it may be collected.
 */
export function carriedOverRefusal(
  room: ConsentRoom,
  payment: LatePayment,
  now: Temporal.Instant,
): NoRoom | null {
  if (isSamePeriod(room.params, payment.dueDate, now)) return null;
  const used = room.used.filter((other) => {
    const comesLater =
      other.isWaiting &&
      isAfter(other.dueDate, payment.dueDate) &&
      !isSamePeriod(room.params, other.dueDate, now);
    return other.isReturned || (other.paymentId !== payment.paymentId && !comesLater);
  });
  return noRoom({ ...room, used }, payment.amountPence, now);
}

/** Returns what the limits leave at `at` for a payment besides the coming payments, if that is too little; null if it fits. */
export function noRoom(
  { params, used, toCome }: ConsentRoom,
  amountPence: number,
  at: Temporal.Instant,
): NoRoom | null {
  if (retryRefusal(params, { at, amountPence }, used, toCome) === null) return null;
  return {
    availablePence: availablePence(params, used, toCome, at),
    availableFrom: firstRoom(params, amountPence, used, toCome, at),
  };
}

/** Describes it for merchants: "The customer's limits leave £0.00 for it now, …". */
export function describeNoRoom(
  { availablePence, availableFrom }: NoRoom,
  when: 'now' | 'then' = 'now',
): string {
  const left = `The customer's limits leave ${describeAmount(availablePence)} for it ${when}, besides the coming payments.`;
  if (availableFrom === null) return `${left} Under this consent it can't be collected any more.`;
  const day = dateIn(availableFrom, BANK_TIME_ZONE).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  return `${left} It can be collected by hand from ${day}.`;
}
