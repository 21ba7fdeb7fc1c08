import { type ConsentStatus, mayCollect } from '../consents/consent.ts';
import type { Tx } from '../platform/db.ts';
import type { FrequencyType } from '../schedules/frequency.ts';
import { retryRefusal } from '../schedules/room.ts';
import { type ConsentRoom, findConsentRooms } from './consent-room.ts';
import type { Failure, RecordedRow } from './payment.ts';
import { finalReason, nextRetry, type RetryDecision } from './retry-plan.ts';

interface Context {
  merchant_id: string;
  payment_id: string;
  consent_id: string;
  amount_pence: number;
  due_date: Temporal.Instant;
  status: string;
  max_retries: number;
  due_at: Temporal.Instant | null;
  frequency_type: FrequencyType;
  time_zone: string;
  consent_status: ConsentStatus;
  automatic_failures: number;
}

/** What a retry depends on, for all failed payments at once, the oldest first. Their attempts are marked already. */
function findContexts(tx: Tx, rows: readonly RecordedRow[]): Promise<Context[]> {
  return tx.rows<Context>(
    `SELECT p.merchant_id, p.payment_id, p.consent_id, p.amount_pence, p.due_date, s.status, s.max_retries, s.due_at,
            t.frequency_type, t.time_zone, c.status AS consent_status,
            (SELECT count(*) FROM attempts a WHERE a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id
               AND a.status = 'failed' AND NOT a.manual) AS automatic_failures
     FROM unnest($1::text[], $2::text[]) AS f (merchant_id, payment_id)
     JOIN payments p ON p.merchant_id = f.merchant_id AND p.payment_id = f.payment_id
     JOIN schedules s ON s.merchant_id = p.merchant_id AND s.schedule_id = p.schedule_id
     JOIN schedule_terms t ON t.merchant_id = s.merchant_id AND t.schedule_id = s.schedule_id AND t.version = s.live_version
     JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = p.consent_id
     ORDER BY p.payment_id`,
    [rows.map((r) => r.merchant_id), rows.map((r) => r.payment_id)],
  );
}

/**
 * Decides when each failed payment is tried again, or why it is not. An attempt by hand is never followed by an automatic
 * one. `failed` are all that fail at this moment: none of them has used its consent, and a retry that is planned for one
 * leaves less to those after it.
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
  const candidates = failed.filter((f) => !f.isFinal && !f.row.manual).map((f) => f.row);
  if (candidates.length === 0) return decisions;
  const contexts = await findContexts(tx, candidates);
  const consents = contexts.map((c) => ({ merchantId: c.merchant_id, consentId: c.consent_id }));
  const rooms = await findConsentRooms(tx, now, consents);
  const failedIds = new Set(failed.map((f) => f.row.payment_id));
  for (const room of rooms.values())
    room.used = room.used.filter((payment) => !failedIds.has(payment.paymentId));
  for (const context of contexts) {
    const room = rooms.get(context.consent_id);
    const decision = planOne(context, room, now);
    decisions.set(context.payment_id, decision);
    if ('at' in decision) room?.used.push(plannedUse(context, decision.at));
  }
  return decisions;
}

function plannedUse(context: Context, at: Temporal.Instant): ConsentRoom['used'][number] {
  return {
    paymentId: context.payment_id,
    consentId: context.consent_id,
    dueDate: context.due_date,
    isWaiting: true,
    at,
    amountPence: context.amount_pence,
  };
}

function planOne(
  context: Context,
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
    nextOccurrence: context.due_at,
    errorClass: 'retryable',
    timeZone: context.time_zone,
    refusedByLimits: (at) => retryRefusal(params, { at, amountPence }, used, toCome) !== null,
    validTo: params.validTo,
  });
}
