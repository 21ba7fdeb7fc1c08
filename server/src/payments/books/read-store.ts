import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { rowBy } from '../../platform/db/row-by.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import type { PaymentUnderWay } from '../../schedules/terms/schedule.ts';
import type { AttemptRef, NoRetryReason, PaymentStatus } from '../payment/payment.ts';
import { REFS, refs } from './attempt-store.ts';
import { ATTEMPT_CONSENT, PAYING_CONSENT } from './evidence-store.ts';

export interface PaymentRow {
  paymentId: string;
  scheduleId: string;
  customerId: string;
  consentId: string;
  amountPence: number;
  currency: string;
  status: PaymentStatus;
  dueDate: Temporal.Instant;
  nextRetryAt: Temporal.Instant | null;
  noRetryReason: NoRetryReason | null;
  errorCode: string | null;
  errorMessage: string | null;
  settlementId: string | null;
  /** Booked with its success; null: none. */
  feePence: number | null;
  /** Refunded or being refunded; null: never. */
  refundedPence: number | null;
  returnedPence: number | null;
  returnedAt: Temporal.Instant | null;
  returnedReason: string | null;
  createdAt: Temporal.Instant;
  completedAt: Temporal.Instant | null;
  failedAt: Temporal.Instant | null;
  /** Its own id if it is an ad-hoc payment; null: an occurrence's. */
  adHoc: string | null;
  /** It is the first payment of its schedule, which is ad hoc too; null: it is not. */
  isFirst: boolean | null;
  description: string | null;
}

/** The columns of a payment. */
export const PAYMENT_COLUMNS = `payment_id, schedule_id, customer_id, consent_id, amount_pence, currency, status,
  due_date, next_retry_at, no_retry_reason, error_code, error_message, settlement_id, fee_pence, refunded_pence,
  returned_pence, returned_at, returned_reason, created_at, completed_at, failed_at, ad_hoc, is_first,
  description`;

/** Returns a payment, without locking it. */
export const findPayment = rowBy<PaymentRow>(
  `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE merchant_id = $1 AND payment_id = $2`,
);

/** Locks and returns a payment. */
export const lockPayment = rowBy<PaymentRow>(
  `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE merchant_id = $1 AND payment_id = $2 FOR UPDATE`,
);

export interface AttemptRow {
  paymentId: string;
  number: number;
  manual: boolean;
  status: 'started' | 'processing' | 'success' | 'failed';
  bankPaymentId: string | null;
  bankStatus: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  startedAt: Temporal.Instant;
  sentAt: Temporal.Instant | null;
  finishedAt: Temporal.Instant | null;
}

/** Returns the attempts of many payments at once, in order. */
export function findAttempts(
  tx: Tx,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<AttemptRow[]> {
  return tx.rows<AttemptRow>(
    `SELECT payment_id, number, manual, status, bank_payment_id, bank_status, error_code, error_message, started_at,
       sent_at, finished_at
     FROM attempts WHERE merchant_id = $1 AND payment_id = ANY($2) ORDER BY payment_id, number`,
    [merchantId, paymentIds],
  );
}

/** Returns the last digits of the paying account of each payment, by payment; unknown accounts are left out. */
export async function findPayingAccounts(
  tx: Tx,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.rows<{ paymentId: string; ending: string }>(
    `SELECT p.payment_id, c.ending FROM payments p
     CROSS JOIN LATERAL (SELECT paying_account_ending AS ending FROM consents
       WHERE merchant_id = p.merchant_id AND consent_id = ${PAYING_CONSENT} OFFSET 0) c
     WHERE p.merchant_id = $1 AND p.payment_id = ANY($2) AND c.ending IS NOT NULL`,
    [merchantId, paymentIds],
  );
  return new Map(rows.map((row) => [row.paymentId, row.ending]));
}

/** What a payment belongs to, as a finance team names it. */
export interface PaymentContext {
  bankId: string;
  /** The merchant's own name of the customer. */
  customerReference: string | null;
  /** The schedule's. */
  metadata: Record<string, string> | null;
}

/** Returns the bank, the customer's reference and the schedule's metadata of each payment, by payment. */
export async function findContexts(
  tx: Tx,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<Map<string, PaymentContext>> {
  const rows = await tx.rows<PaymentContext & { paymentId: string }>(
    `SELECT p.payment_id, coalesce(k.bank_id, p.bank_id) AS bank_id, c.reference AS customer_reference, s.metadata
     FROM payments p
     LEFT JOIN LATERAL (SELECT bank_id FROM consents
       WHERE merchant_id = p.merchant_id AND consent_id = ${PAYING_CONSENT} OFFSET 0) k ON true
     CROSS JOIN LATERAL (SELECT reference FROM customers
       WHERE merchant_id = p.merchant_id AND customer_id = p.customer_id OFFSET 0) c
     CROSS JOIN LATERAL (SELECT metadata FROM schedules
       WHERE merchant_id = p.merchant_id AND schedule_id = p.schedule_id OFFSET 0) s
     WHERE p.merchant_id = $1 AND p.payment_id = ANY($2)`,
    [merchantId, paymentIds],
  );
  return new Map(rows.map(({ paymentId, ...context }) => [paymentId, context]));
}

/**
 * Returns the payments of these schedules whose money may still arrive, earliest first: an order may be with the bank, or the
 * money has come.
 */
export async function findUnderWay(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<PaymentUnderWay[]> {
  const rows = await tx.rows<{
    paymentId: string;
    amountPence: number;
    currency: string;
    dueDate: Temporal.Instant;
  }>(
    `SELECT p.payment_id, p.amount_pence, p.currency, p.due_date FROM payments p
     JOIN payment_work w ON w.merchant_id = p.merchant_id AND w.payment_id = p.payment_id
     WHERE p.merchant_id = $1 AND p.schedule_id = ANY ($2) AND p.status = 'processing'
       AND (w.stage <> 'submit' OR EXISTS (SELECT 1 FROM attempts a WHERE a.merchant_id = p.merchant_id
         AND a.payment_id = p.payment_id AND a.number = p.attempts AND a.sent_at IS NOT NULL))
     ORDER BY p.due_date, p.payment_id`,
    [merchantId, scheduleIds],
  );
  return rows.map((row) => ({
    id: row.paymentId,
    amount: { value: row.amountPence, currency: row.currency },
    due_date: formatInstant(row.dueDate),
  }));
}

/** Returns replaced consents under which due payments are not completed at the bank yet, and until when those wait. */
export function waitingUnderReplaced(
  tx: Tx,
  consents: readonly { merchantId: string; bankId: string; bankConsentId: string }[],
): Promise<{ bankId: string; bankConsentId: string; until: Temporal.Instant }[]> {
  return tx.rows(
    `SELECT c.bank_id, c.bank_consent_id, max(w.due_at) AS until
     FROM unnest($1::text[], $2::text[], $3::text[]) AS r (merchant_id, bank_id, bank_consent_id)
     JOIN consents c ON c.merchant_id = r.merchant_id AND c.bank_id = r.bank_id
       AND c.bank_consent_id = r.bank_consent_id AND c.status = 'replaced'
     JOIN schedules s ON s.merchant_id = c.merchant_id AND s.customer_id = c.customer_id -- a consent may serve several
     JOIN payments p ON p.merchant_id = s.merchant_id AND p.schedule_id = s.schedule_id AND p.consent_id = c.consent_id
     JOIN payment_work w ON w.merchant_id = p.merchant_id AND w.payment_id = p.payment_id
       AND w.stage <> 'move' -- what the bank has may fail yet, and is then retried
       AND NOT (w.stage = 'wait' AND w.moves_on) -- it goes on under another consent
     GROUP BY c.bank_id, c.bank_consent_id`,
    columns(consents, 'merchantId', 'bankId', 'bankConsentId'),
  );
}

/** Whether payments of other schedules, none of them cancelled, still wait under this one's consent. */
export async function othersWaitUnder(
  tx: Tx,
  {
    merchantId,
    scheduleId,
    consentId,
  }: { merchantId: string; scheduleId: string; consentId: string | null },
): Promise<boolean> {
  const row = await tx.row(
    `SELECT 1 AS found FROM consents c
     JOIN schedules s ON s.merchant_id = c.merchant_id AND s.customer_id = c.customer_id AND s.status <> 'cancelled'
     JOIN payments p ON p.merchant_id = s.merchant_id AND p.schedule_id = s.schedule_id AND p.consent_id = c.consent_id
     JOIN payment_work w ON w.merchant_id = p.merchant_id AND w.payment_id = p.payment_id
       AND w.stage <> 'move'
     WHERE c.merchant_id = $1 AND c.consent_id = $2 AND s.schedule_id <> $3 LIMIT 1`,
    [merchantId, consentId, scheduleId],
  );
  return row !== null;
}

/** Whether a schedule has any payment. */
export async function hasPayments(
  tx: Tx,
  schedule: { merchantId: string; scheduleId: string },
): Promise<boolean> {
  const row = await tx.row<{ found: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM payments WHERE merchant_id = $1 AND schedule_id = $2) AS found',
    [schedule.merchantId, schedule.scheduleId],
  );
  return row?.found ?? false;
}

/** Returns the bank consents under which these attempts were ordered. */
export function findBankConsents(
  tx: Tx,
  attempts: readonly { ref: AttemptRef }[],
): Promise<{ bankId: string; bankConsentId: string }[]> {
  return tx.rows(
    `SELECT c.bank_id, c.bank_consent_id FROM ${REFS} AS l (merchant_id, payment_id, attempt)
     JOIN payments p ON p.merchant_id = l.merchant_id AND p.payment_id = l.payment_id
     JOIN attempts a ON a.merchant_id = l.merchant_id AND a.payment_id = l.payment_id AND a.number = l.attempt
     JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = ${ATTEMPT_CONSENT} AND c.bank_id IS NOT NULL`,
    refs(attempts),
  );
}

/** Returns payments of all merchants by a bank's id of one of their attempts. */
export function findByBankPaymentId(
  tx: Tx,
  bankPaymentId: string,
  limit: number,
): Promise<{ paymentId: string; merchantId: string; merchantName: string }[]> {
  return tx.rows(
    `SELECT a.payment_id, m.merchant_id, m.name AS merchant_name
     FROM attempts a JOIN merchants m ON m.merchant_id = a.merchant_id WHERE a.bank_payment_id = $1 LIMIT $2`,
    [bankPaymentId, limit],
  );
}
