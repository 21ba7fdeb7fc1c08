import type { ConsentRow } from '../../consents/store.ts';
import type { Work } from '../../platform/platform.ts';
import { insertWords } from '../../schedules/books/word-store.ts';
import { amountEntry } from '../../schedules/books/words.ts';
import { noRoom } from '../../schedules/limits/room.ts';
import type { Schedule } from '../../schedules/terms/schedule.ts';
import { presentOf } from '../books/move-on-store.ts';
import { insertPayments } from '../books/payment-store.ts';
import { findRooms } from '../limits/rooms-under.ts';
import { firstPaymentIdOf } from '../payment/payment.ts';

/**
 * Opens the first payment of a locked schedule that has just joined a granted consent: due now, or when the consent first has
 * room for it, if the customer has lowered the limits or the consent was long in coming. Its id is the schedule's, so that a
 * second one is refused whatever happens. See docs/rules/payments.md#the-first-payment.
 */
export async function openFirst(
  { platform, tx, now }: Work,
  schedule: Schedule,
  consent: ConsentRow,
): Promise<void> {
  const { merchantId, scheduleId, firstPayment } = schedule;
  if (firstPayment === null) return;
  const present = presentOf(consent);
  const { consentId } = present;
  const { amountPence, description } = firstPayment;
  const room = (await findRooms(tx, now, [{ merchantId, consentId }])).get(consentId);
  const refused = room === undefined ? null : noRoom(room, amountPence, now);
  const payment = {
    merchantId,
    paymentId: firstPaymentIdOf(platform.vault, schedule),
    scheduleId,
    customerId: schedule.customerId,
    ...present,
    amountPence,
    currency: 'GBP',
    dueDate: refused?.availableFrom ?? now,
    termsVersion: schedule.liveVersion,
    occurrence: null,
    isBegun: false,
    adHoc: { description, reason: 'the first payment: the customer has agreed', isFirst: true },
  };
  await insertPayments(tx, now, [payment], now);
  await insertWords(tx, merchantId, scheduleId, [amountEntry(amountPence)]);
}
