import { isAfter } from '../../platform/values/instants.ts';
import {
  bankDate,
  type ConsentRoom,
  isSamePeriod,
  type NoRoom,
  noRoom,
} from '../../schedules/limits/room.ts';
import type { Used } from './store.ts';

/** A payment that was due at `dueDate` and is about to be collected. */
export interface LatePayment {
  paymentId: string;
  dueDate: Temporal.Instant;
  amountPence: number;
}

/** Whether a payment may have left its limit period: periods start and end with a day in the bank's time zone. */
export function mayBeCarriedOver(dueDate: Temporal.Instant, now: Temporal.Instant): boolean {
  return !bankDate(dueDate).equals(bankDate(now));
}

/**
 * Decides about a payment that waited, through an outage or for a retry, until its own period was over: it is collected if the
 * new period has room for it besides its own occurrences, never in their place. Among several waiting payments the oldest goes
 * first. Returns null if it may be collected.
 */
export function carriedOverRefusal(
  room: ConsentRoom<Used>,
  payment: LatePayment,
  now: Temporal.Instant,
): NoRoom | null {
  if (isSamePeriod(room, payment.dueDate, now)) return null;
  const used = room.used.filter((other) => {
    const comesLater =
      other.isWaiting &&
      isAfter(other.dueDate, payment.dueDate) &&
      !isSamePeriod(room, other.dueDate, now);
    return other.isReturned || (other.paymentId !== payment.paymentId && !comesLater);
  });
  return noRoom({ ...room, used }, payment.amountPence, now);
}
