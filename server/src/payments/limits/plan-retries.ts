import { mayCollect } from '../../consents/consent.ts';
import type { Tx } from '../../platform/db/db.ts';
import { type ConsentRoom, refusalBeside } from '../../schedules/limits/room.ts';
import { findSettledByHand } from '../books/unallocated-store.ts';
import type { Failure, RecordedRow } from '../payment/payment.ts';
import { finalReason, nextRetry, type RetryDecision } from '../payment/retry.ts';
import { findRooms, takeRoom } from './rooms-under.ts';
import { findRetryContexts, type RetryContext, type Used } from './store.ts';

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
      f.row.paymentId,
      { none: f.isFinal ? finalReason(f.failure.code) : 'by_hand' },
    ]),
  );
  const retryable = failed.filter((f) => !f.isFinal && !f.row.manual).map((f) => f.row);
  if (retryable.length === 0) return decisions;
  const reads = [findSettledByHand(tx, retryable), findRetryContexts(tx, retryable)] as const;
  const [settled, found] = await Promise.all(reads);
  for (const id of settled) decisions.set(id, { none: 'stopped' });
  const contexts = found.filter(({ paymentId }) => !settled.has(paymentId));
  const consents = contexts.map((c) => ({ merchantId: c.merchantId, consentId: c.consentId }));
  const rooms = await findRooms(tx, now, consents);
  const failedIds = new Set(failed.map((f) => f.row.paymentId));
  for (const room of rooms.values())
    room.used = room.used.filter((one) => one.isReturned || !failedIds.has(one.paymentId));
  for (const context of contexts) {
    const room = rooms.get(context.consentId);
    const decision = planOne(context, room, now);
    decisions.set(context.paymentId, decision);
    if ('at' in decision && room !== undefined) takeRoom(room, { ...context, at: decision.at });
  }
  return decisions;
}

function planOne(
  context: RetryContext,
  room: ConsentRoom<Used> | undefined,
  now: Temporal.Instant,
): RetryDecision {
  if (context.status !== 'active' || !mayCollect(context.consentStatus) || room === undefined)
    return { none: 'stopped' };
  const { amountPence } = context;
  return nextRetry({
    frequencyType: context.frequencyType,
    failedAttempts: context.automaticFailures,
    maxRetries: context.maxRetries,
    failedAt: now,
    nextOccurrence: context.nextDueAt,
    errorClass: 'retryable',
    timeZone: context.timeZone,
    refusedByLimits: (at) => refusalBeside(room, { at, amountPence }) !== null,
    validTo: room.params.validTo,
  });
}
