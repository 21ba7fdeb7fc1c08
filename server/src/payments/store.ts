import type { Tx } from '../platform/db.ts';
import { unguessed } from '../platform/unguessed.ts';
import type { NoRetryReason, PaymentStatus } from './payment.ts';

export interface PaymentRow {
  payment_id: string;
  schedule_id: string;
  customer_id: string;
  consent_id: string;
  amount_pence: number;
  currency: string;
  status: PaymentStatus;
  due_date: Temporal.Instant;
  next_retry_at: Temporal.Instant | null;
  no_retry_reason: NoRetryReason | null;
  error_code: string | null;
  error_message: string | null;
  settlement_id: string | null;
  returned_pence: number | null;
  returned_at: Temporal.Instant | null;
  returned_reason: string | null;
  created_at: Temporal.Instant;
  completed_at: Temporal.Instant | null;
  failed_at: Temporal.Instant | null;
}

const COLUMNS = `payment_id, schedule_id, customer_id, consent_id, amount_pence, currency, status, due_date, next_retry_at,
  no_retry_reason, error_code, error_message, settlement_id, returned_pence, returned_at, returned_reason, created_at,
  completed_at, failed_at`;

export interface PaymentFilter {
  scheduleId?: string;
  settlementId?: string;
  status?: PaymentStatus;
}

export function findPayment(
  tx: Tx,
  merchantId: string,
  paymentId: string,
): Promise<PaymentRow | null> {
  return tx.row<PaymentRow>(
    `SELECT ${COLUMNS} FROM payments WHERE merchant_id = $1 AND payment_id = $2`,
    [merchantId, paymentId],
  );
}

export function lockPayment(
  tx: Tx,
  merchantId: string,
  paymentId: string,
): Promise<PaymentRow | null> {
  return tx.row<PaymentRow>(
    `SELECT ${COLUMNS} FROM payments WHERE merchant_id = $1 AND payment_id = $2 FOR UPDATE`,
    [merchantId, paymentId],
  );
}

/** Only the conditions that are asked for, so that each kind of list has its own plan and index; texts are constants. */
function conditionsOf(
  merchantId: string,
  filter: PaymentFilter,
): { where: string; values: string[] } {
  const conditions = ['merchant_id = $1'];
  const values = [merchantId];
  const add = (value: string | undefined, condition: (place: string) => string): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  add(filter.scheduleId, (place) => `schedule_id = ${place}`);
  add(filter.status, (place) => `status = ${place}`);
  add(
    filter.settlementId,
    (place) =>
      `payment_id IN (SELECT sp.payment_id FROM settlement_payments sp WHERE sp.merchant_id = $1 AND sp.settlement_id = ${place})`,
  );
  return { where: conditions.join(' AND '), values };
}

/** Payments newest first, and how many there are. */
export async function listPayments(
  tx: Tx,
  merchantId: string,
  filter: PaymentFilter,
  limit: number,
  offset: number,
): Promise<{ rows: PaymentRow[]; total: number }> {
  const { where, values } = conditionsOf(merchantId, filter);
  const rows = await tx.rows<PaymentRow>(
    `SELECT ${COLUMNS} FROM payments WHERE ${where} ORDER BY payment_id DESC
     LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  );
  const count = await tx.row<{ total: number }>(
    `SELECT count(*) AS total FROM payments WHERE ${where}`,
    values,
  );
  return { rows, total: count?.total ?? 0 };
}

export interface AttemptRow {
  payment_id: string;
  number: number;
  manual: boolean;
  status: 'started' | 'processing' | 'success' | 'failed';
  bank_payment_id: string | null;
  bank_status: string | null;
  error_code: string | null;
  error_message: string | null;
  started_at: Temporal.Instant;
  finished_at: Temporal.Instant | null;
}

/** The attempts of many payments at once, in their order. */
export function findAttempts(
  tx: Tx,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<AttemptRow[]> {
  return tx.rows<AttemptRow>(
    `SELECT payment_id, number, manual, status, bank_payment_id, bank_status, error_code, error_message, started_at, finished_at
     FROM attempts WHERE merchant_id = $1 AND payment_id = ANY($2) ORDER BY payment_id, number`,
    [merchantId, paymentIds],
  );
}

/** The ends of the numbers of the accounts that pay, by payment; those that are not known are left out. */
export async function findPayingAccounts(
  tx: Tx,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.rows<{ payment_id: string; ending: string }>(
    `SELECT p.payment_id, c.ending FROM payments p
     CROSS JOIN LATERAL (SELECT paying_account_ending AS ending FROM consents
       WHERE merchant_id = p.merchant_id AND consent_id = p.consent_id OFFSET 0) c
     WHERE p.merchant_id = $1 AND p.payment_id = ANY($2) AND c.ending IS NOT NULL`,
    [merchantId, paymentIds],
  );
  return new Map(rows.map((row) => [row.payment_id, row.ending]));
}

/** A payment that counts against the limits of its consent, and when. */
export interface Used {
  paymentId: string;
  consentId: string;
  dueDate: Temporal.Instant;
  /** Its present attempt has not been sent to the bank. */
  isWaiting: boolean;
  at: Temporal.Instant;
  amountPence: number;
}

/**
 * What counts against the limits of these consents: every payment under them that did not fail, whichever schedule it is of.
 * One that waits for a retry counts when that is due; one that is under way, from when its attempt was begun. No index leads
 * from a consent to its payments: they are those of the customer's schedules, each of which is read once for all consents.
 */
export async function findUsed(
  tx: Tx,
  consents: readonly { merchantId: string; consentId: string }[],
): Promise<Used[]> {
  const rows = await tx.rows<{
    payment_id: string;
    consent_id: string;
    due_date: Temporal.Instant;
    is_waiting: boolean;
    at: Temporal.Instant;
    amount_pence: number;
  }>(
    `SELECT p.payment_id, p.consent_id, p.due_date, p.amount_pence,
       p.status <> 'success' AND a.sent_at IS NULL AS is_waiting,
       coalesce(p.completed_at, p.next_retry_at, CASE p.status WHEN 'processing' THEN a.started_at END, p.created_at) AS at
     FROM (SELECT DISTINCT c.merchant_id, c.customer_id FROM unnest($1::text[], $2::text[]) AS f (merchant_id, consent_id)
           JOIN consents c ON c.merchant_id = f.merchant_id AND c.consent_id = f.consent_id) k
     JOIN schedules s ON s.merchant_id = k.merchant_id AND s.customer_id = k.customer_id
     JOIN payments p ON p.merchant_id = s.merchant_id AND p.schedule_id = s.schedule_id
     LEFT JOIN LATERAL (SELECT started_at, sent_at FROM attempts WHERE p.status = 'processing'
       AND merchant_id = p.merchant_id AND payment_id = p.payment_id AND number = p.attempts OFFSET 0) a ON true
     WHERE ${unguessed("p.consent_id = ANY ($2) AND p.status <> 'failed'")}`,
    [consents.map((c) => c.merchantId), consents.map((c) => c.consentId)],
  );
  return rows.map((row) => ({
    paymentId: row.payment_id,
    consentId: row.consent_id,
    dueDate: row.due_date,
    isWaiting: row.is_waiting,
    at: row.at,
    amountPence: row.amount_pence,
  }));
}

/** Sets a failed payment going again, by hand. */
export async function markForRetry(
  tx: Tx,
  merchantId: string,
  paymentId: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE payments SET status = 'pending', stage = 'submit', due_at = $3, polls = 0, manual = true, failed_at = NULL,
       next_retry_at = $3, stopped_by = NULL
     WHERE merchant_id = $1 AND payment_id = $2 AND status = 'failed'`,
    [merchantId, paymentId, now],
  );
}
