import type { Platform } from '../platform/platform.ts';
import { ended, type Failed } from './answers.ts';
import type { ClaimedAttempt } from './attempt-store.ts';
import { carriedOverRefusal, describeNoRoom, mayBeCarriedOver } from './carried-over.ts';
import { findConsentRooms } from './consent-room.ts';

/**
 * Ends those attempts of a batch that have not been sent and that outlasted the period of their limits, where the new period
 * has no room for them. Returns their failures by payment.
 */
export async function refuseCarriedOver(
  { db, clock }: Platform,
  batch: readonly ClaimedAttempt[],
): Promise<Map<string, Failed>> {
  const now = clock.now();
  const late = batch.filter(
    (attempt) => attempt.sent_at === null && mayBeCarriedOver(attempt.due_date, now),
  );
  if (late.length === 0) return new Map();
  const consents = late.map((l) => ({ merchantId: l.merchant_id, consentId: l.consent_id }));
  const rooms = await db.read((tx) => findConsentRooms(tx, now, consents));
  const refused = new Map<string, Failed>();
  for (const attempt of late) {
    const room = rooms.get(attempt.consent_id);
    const payment = {
      paymentId: attempt.payment_id,
      dueDate: attempt.due_date,
      amountPence: attempt.amount_pence,
    };
    const reason = room === undefined ? null : carriedOverRefusal(room, payment, now);
    if (reason !== null)
      refused.set(
        attempt.payment_id,
        ended('limit_exceeded', describeNoRoom(reason), attempt.polls),
      );
  }
  return refused;
}
