import {
  type ConsentStatus,
  mayCollect,
  type StoredControlParameters,
} from '../consents/consent.ts';
import type { Tx } from '../platform/db.ts';
import type { FrequencyType } from '../schedules/frequency.ts';
import { type Collection, retryRefusal } from '../schedules/headroom.ts';
import { toControlParameters } from '../schedules/stored-parameters.ts';
import { findTermsUnder, type TermsUnder } from '../schedules/under-store.ts';
import type { RecordedRow } from './payment.ts';
import { nextRetry } from './retry-plan.ts';
import { findUsed } from './store.ts';

interface Context {
  merchant_id: string;
  payment_id: string;
  consent_id: string;
  amount_pence: number;
  status: string;
  max_retries: number;
  due_at: Temporal.Instant | null;
  frequency_type: FrequencyType;
  time_zone: string;
  control_parameters: StoredControlParameters | null;
  consent_status: ConsentStatus;
  automatic_failures: number;
}

/** What a retry depends on, for all failed payments at once, the oldest first. Their attempts are marked already. */
function findContexts(tx: Tx, rows: readonly RecordedRow[]): Promise<Context[]> {
  return tx.rows<Context>(
    `SELECT p.merchant_id, p.payment_id, p.consent_id, p.amount_pence, s.status, s.max_retries, s.due_at,
            t.frequency_type, t.time_zone, c.control_parameters, c.status AS consent_status,
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
 * When each failed payment is tried again; a payment that is absent is not (DECISIONS, "Payments"). An attempt by hand
 * is never followed by an automatic one. `failed` are all that fail at this moment: none of them has used its consent,
 * and a retry that is planned for one leaves less to those after it.
 */
export async function planRetries(
  tx: Tx,
  now: Temporal.Instant,
  failed: readonly { row: RecordedRow; isFinal: boolean }[],
): Promise<Map<string, Temporal.Instant>> {
  const candidates = failed.filter((f) => !f.isFinal && !f.row.manual).map((f) => f.row);
  if (candidates.length === 0) return new Map();
  const contexts = await findContexts(tx, candidates);
  const consents = contexts.map((c) => ({ merchantId: c.merchant_id, consentId: c.consent_id }));
  const failedIds = new Set(failed.map((f) => f.row.payment_id));
  const paid = (await findUsed(tx, consents)).filter((p) => !failedIds.has(p.paymentId));
  const usedBy = new Map<string, Collection[]>(Map.groupBy(paid, (p) => p.consentId));
  const under = Map.groupBy(await findTermsUnder(tx, consents), (u) => u.consentId);
  const planned = new Map<string, Temporal.Instant>();
  for (const context of contexts) {
    const used = usedBy.get(context.consent_id) ?? [];
    const at = planOne(context, used, under.get(context.consent_id) ?? [], now);
    if (at === null) continue;
    planned.set(context.payment_id, at);
    used.push({ at, amountPence: context.amount_pence });
    usedBy.set(context.consent_id, used);
  }
  return planned;
}

function planOne(
  context: Context,
  used: readonly Collection[],
  under: readonly TermsUnder[],
  now: Temporal.Instant,
): Temporal.Instant | null {
  const params = toControlParameters(context.control_parameters);
  if (context.status !== 'active' || !mayCollect(context.consent_status) || params === null)
    return null;
  const { amount_pence: amountPence } = context;
  // One that is paused may be resumed at any moment.
  const toCome = under.map(({ terms, nextDueAt }) => ({ terms, from: nextDueAt ?? now }));
  const decision = nextRetry({
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
  return 'at' in decision ? decision.at : null;
}
