import {
  type ConsentStatus,
  mayCollect,
  type StoredControlParameters,
} from '../consents/consent.ts';
import type { Tx } from '../platform/db.ts';
import { unguessed } from '../platform/unguessed.ts';
import { type Collection, fits, retryRefusal } from '../schedules/headroom.ts';
import { TERMS_COLUMNS, type TermsRow, toTerms } from '../schedules/store.ts';
import { toControlParameters } from '../schedules/stored-parameters.ts';
import type { RecordedRow } from './payment.ts';
import { nextRetry } from './retry-plan.ts';

interface Context extends TermsRow {
  payment_id: string;
  consent_id: string;
  status: string;
  max_retries: number;
  due_at: Temporal.Instant | null;
  control_parameters: StoredControlParameters | null;
  consent_status: ConsentStatus;
  amount_owed: number;
  automatic_failures: number;
}

const TERMS = TERMS_COLUMNS.split(',')
  .map((column) => `t.${column.trim()}`)
  .join(', ');

/** What a retry depends on, for all failed payments at once. Their attempts are marked already. */
function findContexts(tx: Tx, rows: readonly RecordedRow[]): Promise<Context[]> {
  return tx.rows<Context>(
    `SELECT p.payment_id, p.consent_id, p.amount_pence AS amount_owed, s.status, s.max_retries, s.due_at,
            c.control_parameters, c.status AS consent_status,
            (SELECT count(*) FROM attempts a WHERE a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id
               AND a.status = 'failed' AND NOT a.manual) AS automatic_failures, ${TERMS}
     FROM unnest($1::text[], $2::text[]) AS f (merchant_id, payment_id)
     JOIN payments p ON p.merchant_id = f.merchant_id AND p.payment_id = f.payment_id
     JOIN schedules s ON s.merchant_id = p.merchant_id AND s.schedule_id = p.schedule_id
     JOIN schedule_terms t ON t.merchant_id = s.merchant_id AND t.schedule_id = s.schedule_id AND t.version = s.live_version
     JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = p.consent_id`,
    [rows.map((r) => r.merchant_id), rows.map((r) => r.payment_id)],
  );
}

/** What was collected under the consents of these payments, and counts against their limits. */
async function findUsed(tx: Tx, rows: readonly RecordedRow[]): Promise<Map<string, Collection[]>> {
  const used = await tx.rows<{ consent_id: string; at: Temporal.Instant; amount_pence: number }>(
    `SELECT DISTINCT o.payment_id, o.consent_id, coalesce(o.completed_at, o.created_at) AS at, o.amount_pence
     FROM unnest($1::text[], $2::text[]) AS f (merchant_id, payment_id)
     JOIN payments p ON p.merchant_id = f.merchant_id AND p.payment_id = f.payment_id
     JOIN payments o ON o.merchant_id = p.merchant_id AND o.schedule_id = p.schedule_id AND o.consent_id = p.consent_id
     WHERE ${unguessed("o.status = 'success' OR (o.status = 'processing' AND o.payment_id <> p.payment_id)")}`,
    [rows.map((r) => r.merchant_id), rows.map((r) => r.payment_id)],
  );
  const byConsent = new Map<string, Collection[]>();
  for (const row of used)
    byConsent.set(row.consent_id, [
      ...(byConsent.get(row.consent_id) ?? []),
      { at: row.at, amountPence: row.amount_pence },
    ]);
  return byConsent;
}

/**
 * When each failed payment is tried again; a payment that is absent is not (DECISIONS, "Payments"). An attempt by hand
 * is never followed by an automatic one.
 */
export async function planRetries(
  tx: Tx,
  now: Temporal.Instant,
  failed: readonly { row: RecordedRow; isFinal: boolean }[],
): Promise<Map<string, Temporal.Instant>> {
  const candidates = failed.filter((f) => !f.isFinal && !f.row.manual).map((f) => f.row);
  if (candidates.length === 0) return new Map();
  const contexts = await findContexts(tx, candidates);
  const used = await findUsed(tx, candidates);
  const planned = contexts.flatMap((context): [string, Temporal.Instant][] => {
    const at = planOne(context, used.get(context.consent_id) ?? [], now);
    return at === null ? [] : [[context.payment_id, at]];
  });
  return new Map(planned);
}

function planOne(
  context: Context,
  used: readonly Collection[],
  now: Temporal.Instant,
): Temporal.Instant | null {
  const params = toControlParameters(context.control_parameters);
  if (context.status !== 'active' || !mayCollect(context.consent_status) || params === null)
    return null;
  const terms = toTerms(context);
  // What comes is collected under the schedule's present consent: only that one has to leave room for it.
  const isPresent = context.consent_status === 'granted';
  const owed = { amountPence: context.amount_owed };
  const decision = nextRetry({
    frequencyType: terms.series.frequency.type,
    failedAttempts: context.automatic_failures,
    maxRetries: context.max_retries,
    failedAt: now,
    nextOccurrence: context.due_at,
    errorClass: 'retryable',
    timeZone: terms.series.timeZone,
    refusedByLimits: (at) =>
      (isPresent
        ? retryRefusal(params, terms, used, at)
        : fits(params, [...used, { at, ...owed }])) !== null,
    validTo: params.validTo,
  });
  return 'at' in decision ? decision.at : null;
}
