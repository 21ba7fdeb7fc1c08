import { mayCollect } from '../../consents/consent.ts';
import type { Tx } from '../../platform/db/db.ts';
import { retryRefusal } from '../../schedules/terms/room.ts';
import { findSettledByHand } from '../books/unallocated-store.ts';
import type { Failure, RecordedRow } from '../payment/payment.ts';
import { finalReason, nextRetry, type RetryDecision } from '../payment/retry.ts';
import { type ConsentRoom, findConsentRooms } from './consent-room.ts';
import { findRetryContexts, type RetryContext } from './store.ts';

/**
 * Decides when each failed payment is retried, or why it is not. A manual attempt is never followed by an automatic one. `failed`
 * contains all payments that fail at this moment: none of them has used its consent, and a retry planned for one leaves less room
 * for those after it.
 */
export async function planRetries(
  tx: Tx,
  now: Temporal.Instant,
  failed: readonly { row: RecordedRow; isFinal: boolean; failure: Failure }[],
): Promise<Map<string, RetryDecision>> {
  const decisions = new Map<string, RetryDecision>(
    failed.map((f) => [
      f.row.payment_id,
      { none: f.isFinal ? finalReason(f.failure.code) : 'by_hand' },
    ]),
  );
  const retryable = failed.filter((f) => !f.isFinal && !f.row.manual).map((f) => f.row);
  if (retryable.length === 0) return decisions;
  const settled = await findSettledByHand(tx, retryable);
  for (const id of settled) decisions.set(id, { none: 'stopped' });
  const candidates = retryable.filter((row) => !settled.has(row.payment_id));
  const contexts = await findRetryContexts(tx, candidates);
  const consents = contexts.map((c) => ({ merchantId: c.merchant_id, consentId: c.consent_id }));
  const rooms = await findConsentRooms(tx, now, consents);
  const failedIds = new Set(failed.map((f) => f.row.payment_id));
  for (const room of rooms.values())
    room.used = room.used.filter((one) => one.isReturned || !failedIds.has(one.paymentId));
  for (const context of contexts) {
    const room = rooms.get(context.consent_id);
    const decision = planOne(context, room, now);
    decisions.set(context.payment_id, decision);
    if ('at' in decision) room?.used.push(plannedUse(context, decision.at));
  }
  return decisions;
}

function plannedUse(context: RetryContext, at: Temporal.Instant): ConsentRoom['used'][number] {
  return {
    paymentId: context.payment_id,
    consentId: context.consent_id,
    dueDate: context.due_date,
    isWaiting: true,
    isReturned: false,
    at,
    amountPence: context.amount_pence,
  };
}

function planOne(
  context: RetryContext,
  room: ConsentRoom | undefined,
  now: Temporal.Instant,
): RetryDecision {
  if (context.status !== 'active' || !mayCollect(context.consent_status) || room === undefined)
    return { none: 'stopped' };
  const { params, used, toCome } = room;
  const { amount_pence: amountPence } = context;
  return nextRetry({
    frequencyType: context.frequency_type,
    failedAttempts: context.automatic_failures,
    maxRetries: context.max_retries,
    failedAt: now,
    nextOccurrence: context.next_due_at,
    errorClass: 'retryable',
    timeZone: context.time_zone,
    refusedByLimits: (at) => retryRefusal(params, { at, amountPence }, used, toCome) !== null,
    validTo: params.validTo,
  });
}
