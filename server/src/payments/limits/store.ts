import { DEBITED_STATUSES } from '../../banks/status-codes.ts';
import type { ConsentStatus, StoredControlParameters } from '../../consents/consent.ts';
import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { opaque } from '../../platform/values/opaque.ts';
import { BANK_TIME_ZONE, type CountedPayment } from '../../schedules/limits/room.ts';
import type { FrequencyType } from '../../schedules/terms/frequency.ts';
import { ATTEMPT_CONSENT } from '../books/evidence-store.ts';
import type { Facts, RecordedRow } from '../payment/payment.ts';

/** What uses the limits of a consent, and what a retry depends on. */

/** A payment that counts against the limits of its consent, and when. */
export interface Used extends CountedPayment {
  paymentId: string;
  consentId: string;
  dueDate: Temporal.Instant;
  /** A failed attempt that the bank debited: the bank counts it even if the money went back. */
  isReturned: boolean;
  /** It was sent, and the bank has not said that it took it: it may still take it. */
  isUnanswered: boolean;
}

const USED = `u.payment_id, u.consent_id, u.due_date, u.is_waiting, u.is_returned, u.is_unanswered, u.at, u.last_at,
  u.amount_pence`;

/**
 * SQL: until when the bank may have taken an attempt `a` that was sent more than once: its last order, where it did not end on
 * the bank's day on which it was first sent. On the same day there is nothing to choose between.
 */
const LAST_AT = `CASE WHEN (coalesce(a.finished_at, 'infinity') AT TIME ZONE '${BANK_TIME_ZONE}')::date
    > (a.sent_at AT TIME ZONE '${BANK_TIME_ZONE}')::date
  THEN (SELECT max(o.sent_at) FROM payment_orders o WHERE o.merchant_id = p.merchant_id AND o.payment_id = p.payment_id
    AND o.merchant_id = ANY ($1) AND o.attempt = a.number AND o.taken_back_at IS NULL) END`;

const UNDER_THESE = opaque(`${ATTEMPT_CONSENT} = ANY ($2)`);

/**
 * Finds what counts against the limits of these consents: every payment under them that did not fail, of any schedule, and every
 * failed attempt that the bank debited. The bank counts a payment when its order comes, not when its money arrives: one that was
 * sent counts from its first order to its last, under the consent that it was ordered under. One that waits counts at the time of
 * its retry, or of its due date. There is no index from a consent to its payments: we read the customer's schedules, each once
 * for all consents. Each table has the merchants beside its key, so that on a Citus cluster the whole statement runs on their
 * node.
 */
export function findUsed(
  tx: Tx,
  consents: readonly { merchantId: string; consentId: string }[],
): Promise<Used[]> {
  return tx.rows<Used>(
    `SELECT ${USED} FROM (SELECT DISTINCT c.merchant_id, c.customer_id
           FROM unnest($1::text[], $2::text[]) AS f (merchant_id, consent_id)
           JOIN consents c ON c.merchant_id = f.merchant_id AND c.consent_id = f.consent_id AND c.merchant_id = ANY ($1)) k
     JOIN schedules s ON s.merchant_id = k.merchant_id AND s.customer_id = k.customer_id
     JOIN payments p ON p.merchant_id = s.merchant_id AND p.schedule_id = s.schedule_id
     CROSS JOIN LATERAL (
       SELECT p.payment_id, ${ATTEMPT_CONSENT} AS consent_id, p.due_date, p.amount_pence,
         p.status <> 'success' AND a.sent_at IS NULL AS is_waiting, false AS is_returned,
         p.status = 'processing' AND a.sent_at IS NOT NULL AND a.bank_payment_id IS NULL AS is_unanswered,
         ${LAST_AT} AS last_at,
         coalesce(a.sent_at, p.completed_at, p.next_retry_at, a.started_at, greatest(p.created_at, p.due_date)) AS at
       FROM (VALUES (1)) v
       LEFT JOIN LATERAL (SELECT number, started_at, sent_at, finished_at, bank_payment_id, consent_id FROM attempts
         WHERE p.status IN ('processing', 'success') AND merchant_id = p.merchant_id AND payment_id = p.payment_id
         AND merchant_id = ANY ($1)
         AND (status = 'success' OR number = p.attempts) ORDER BY status = 'success' DESC LIMIT 1) a ON true
       WHERE p.status <> 'failed' AND ${UNDER_THESE}
       UNION ALL
       SELECT p.payment_id, ${ATTEMPT_CONSENT}, p.due_date, p.amount_pence, false, true, false, ${LAST_AT}, a.sent_at
       FROM attempts a WHERE (p.status IN ('failed', 'pending') OR p.attempts > 1) AND a.merchant_id = p.merchant_id
         AND a.payment_id = p.payment_id AND a.status = 'failed' AND a.sent_at IS NOT NULL AND a.bank_status = ANY ($3)
         AND ${UNDER_THESE}
         AND a.merchant_id = ANY ($1)) u
     WHERE s.merchant_id = ANY ($1) AND p.merchant_id = ANY ($1)`,
    [...columns(consents, 'merchantId', 'consentId'), DEBITED_STATUSES],
  );
}

/** Returns the limits of these consents. */
export function findLimits(
  tx: Tx,
  consents: readonly { merchantId: string; consentId: string }[],
): Promise<{ consentId: string; controlParameters: StoredControlParameters | null }[]> {
  return tx.rows(
    `SELECT c.consent_id, c.control_parameters
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS f (merchant_id, consent_id)) f
     CROSS JOIN LATERAL (SELECT consent_id, control_parameters FROM consents
       WHERE merchant_id = f.merchant_id AND consent_id = f.consent_id OFFSET 0) c`,
    columns(consents, 'merchantId', 'consentId'),
  );
}

export interface RetryContext extends Omit<Facts, 'scheduleId'> {
  status: string;
  maxRetries: number;
  /** The occurrence after the payment's own, opened already or to come; null: there is none. */
  nextDueAt: Temporal.Instant | null;
  frequencyType: FrequencyType;
  timeZone: string;
  consentStatus: ConsentStatus;
  automaticFailures: number;
}

/**
 * Returns what a retry depends on, for all failed payments at once, oldest first. Their attempts must already be marked as
 * failed. If the customer pays from another account now, the retry is one under the schedule's present consent.
 */
export function findRetryContexts(tx: Tx, rows: readonly RecordedRow[]): Promise<RetryContext[]> {
  return tx.rows<RetryContext>(
    `SELECT p.merchant_id, p.payment_id, c.consent_id, p.amount_pence, p.due_date, s.status, s.max_retries,
            coalesce((SELECT min(q.due_date) FROM payments q WHERE q.merchant_id = p.merchant_id
              AND q.schedule_id = p.schedule_id AND q.due_date > p.due_date AND q.ad_hoc IS NULL), g.due_at) AS next_due_at,
            t.frequency_type, t.time_zone, c.status AS consent_status,
            (SELECT count(*) FROM attempts a WHERE a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id
               AND a.status = 'failed' AND NOT a.manual) AS automatic_failures
     FROM unnest($1::text[], $2::text[]) AS f (merchant_id, payment_id)
     JOIN payments p ON p.merchant_id = f.merchant_id AND p.payment_id = f.payment_id
     JOIN schedules s ON s.merchant_id = p.merchant_id AND s.schedule_id = p.schedule_id
     JOIN schedule_agenda g ON g.merchant_id = p.merchant_id AND g.schedule_id = p.schedule_id
     JOIN schedule_terms t ON t.merchant_id = s.merchant_id AND t.schedule_id = s.schedule_id AND t.version = s.live_version
     JOIN payment_work w ON w.merchant_id = p.merchant_id AND w.payment_id = p.payment_id
     JOIN consents c ON c.merchant_id = p.merchant_id
       AND c.consent_id = CASE WHEN w.moves_on THEN s.consent_id ELSE p.consent_id END
     ORDER BY p.payment_id`,
    columns(rows, 'merchantId', 'paymentId'),
  );
}
