import type { Tx } from '../../platform/db/db.ts';
import { claim, earliestDueInLanes } from '../../platform/engine/claim.ts';
import type { AttemptRef } from '../payment/payment.ts';

/** A payment that a bank reported and that matches no attempt. */
export interface Reported {
  bankId: string;
  bankPaymentId: string;
  tries: number;
}

/** When banks are next due to be queried about them, by bank. */
export const earliestReported = earliestDueInLanes('bank_id', 'unknown_bank_payments', 'true');

/** Queues those of these payments that match no attempt, to be investigated at `dueAt`. */
export async function noteReported(
  tx: Tx,
  bankId: string,
  bankPaymentIds: readonly string[],
  dueAt: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `INSERT INTO unknown_bank_payments (bank_id, bank_payment_id, due_at)
     SELECT DISTINCT $1, l.id, $3::timestamptz FROM unnest($2::text[]) AS l (id)
     WHERE l.id <> ALL (ARRAY(SELECT bank_payment_id FROM attempts WHERE bank_payment_id = ANY ($2)))
     ORDER BY 2 ON CONFLICT DO NOTHING`,
    [bankId, bankPaymentIds, dueAt],
  );
}

/** Claims payments to investigate, of banks with free capacity. */
export function claimReported(
  tx: Tx,
  now: Temporal.Instant,
  leaseMs: number,
  limit: number,
  fullBanks: readonly string[],
): Promise<Reported[]> {
  return claim<Reported>(tx, now, leaseMs, limit, {
    table: 'unknown_bank_payments',
    key: ['bank_id', 'bank_payment_id'],
    lanes: { column: 'bank_id', full: fullBanks },
    set: 'tries = t.tries + 1',
    returning: 't.bank_id, t.bank_payment_id, t.tries',
  });
}

/** An attempt found by the instruction id of its order. */
export interface Found {
  ref: AttemptRef;
  bankPaymentId: string | null;
  isOpen: boolean;
}

/** The consent identifies the merchant: payments are not searched across all merchants. */
export async function findNamedAttempt(
  tx: Tx,
  bankId: string,
  bankConsentId: string,
  { paymentId, attempt }: { paymentId: string; attempt: number },
): Promise<Found | null> {
  const row = await tx.row<{
    merchantId: string;
    scheduleId: string;
    bankPaymentId: string | null;
    isOpen: boolean;
  }>(
    `SELECT p.merchant_id, p.schedule_id, a.bank_payment_id, a.status IN ('started', 'processing') AS is_open
     FROM consents c
     JOIN payments p ON p.merchant_id = c.merchant_id AND p.payment_id = $3
     JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id AND a.number = $4
       AND (a.consent_id = c.consent_id OR (a.consent_id IS NULL AND p.bank_id = c.bank_id))
     WHERE c.bank_consent_id = $2 AND c.bank_id = $1 LIMIT 1`,
    [bankId, bankConsentId, paymentId, attempt],
  );
  if (row === null) return null;
  const ref = { merchantId: row.merchantId, scheduleId: row.scheduleId, paymentId, attempt };
  return { ref, bankPaymentId: row.bankPaymentId, isOpen: row.isOpen };
}

/** Returns the merchants who have attempts with these ids of the bank. */
export async function findMerchantsOf(
  tx: Tx,
  bankPaymentIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.rows<{ merchantId: string }>(
    'SELECT DISTINCT merchant_id FROM attempts WHERE bank_payment_id = ANY ($1)',
    [bankPaymentIds],
  );
  return rows.map((row) => row.merchantId);
}

export async function findKnown(tx: Tx, bankPaymentIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows<{ bankPaymentId: string }>(
    'SELECT DISTINCT bank_payment_id FROM attempts WHERE bank_payment_id = ANY ($1)',
    [bankPaymentIds],
  );
  return new Set(rows.map((row) => row.bankPaymentId));
}

export async function forget(
  tx: Tx,
  bankId: string,
  bankPaymentIds: readonly string[],
): Promise<void> {
  await tx.run(
    'DELETE FROM unknown_bank_payments WHERE bank_id = $1 AND bank_payment_id = ANY ($2)',
    [bankId, bankPaymentIds],
  );
}

/** Schedules another read of a payment at `dueAt`. */
export async function scheduleRead(
  tx: Tx,
  { bankId, bankPaymentId }: Reported,
  dueAt: Temporal.Instant,
): Promise<void> {
  await tx.run(
    'UPDATE unknown_bank_payments SET due_at = $3 WHERE bank_id = $1 AND bank_payment_id = $2',
    [bankId, bankPaymentId, dueAt],
  );
}
