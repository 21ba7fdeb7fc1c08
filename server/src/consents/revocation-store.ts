import type { Tx } from '../platform/db/db.ts';
import { opaque } from '../platform/values/opaque.ts';

/** Queues the bank's copy of a consent for deletion. */
export async function insertRevocation(
  tx: Tx,
  merchantId: string,
  bankId: string,
  bankConsentId: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `INSERT INTO bank_revocations (merchant_id, bank_consent_id, bank_id, due_at, created_at)
     VALUES ($1, $2, $3, $4, $4) ON CONFLICT DO NOTHING`,
    [merchantId, bankConsentId, bankId, now],
  );
}

/**
 * Brings forward the deletion of a customer's replaced consents that were kept for waiting payments: a schedule is over, and
 * its payments may have waited under a consent of another one.
 */
export async function hastenRevocations(
  tx: Tx,
  merchantId: string,
  customerId: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE bank_revocations b SET due_at = $3
     FROM schedules s JOIN consents c ON c.merchant_id = s.merchant_id AND c.schedule_id = s.schedule_id
     WHERE s.merchant_id = $1 AND s.customer_id = $2 AND c.status = 'replaced' AND b.merchant_id = c.merchant_id
       AND b.bank_id = c.bank_id AND b.bank_consent_id = c.bank_consent_id AND b.due_at > $3`,
    [merchantId, customerId, now],
  );
}

/** A consent to be deleted at its bank. */
export interface RevocationRow {
  merchantId: string;
  bankConsentId: string;
  bankId: string;
  attempts: number;
}

/** Ends the deletion of a consent at its bank: a person knows that it is gone. Returns false if it had ended. */
export async function endRevocation(
  tx: Tx,
  merchantId: string,
  bankConsentId: string,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE bank_revocations SET due_at = NULL
     WHERE merchant_id = $1 AND bank_consent_id = $2 AND due_at IS NOT NULL`,
    [merchantId, bankConsentId],
  );
  return changed > 0;
}

/**
 * Sets when each deletion is retried; null: done, even if another process retries it too. A row that was brought forward or
 * claimed by another process meanwhile keeps its time.
 */
export async function setNextRevocations(
  tx: Tx,
  lease: Temporal.Instant,
  next: readonly { row: RevocationRow; dueAt: Temporal.Instant | null }[],
): Promise<void> {
  await tx.run(
    `UPDATE bank_revocations b SET due_at = n.due_at
     FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
       AS n (merchant_id, bank_id, bank_consent_id, due_at)
     WHERE b.merchant_id = n.merchant_id AND b.bank_id = n.bank_id AND b.bank_consent_id = n.bank_consent_id
       AND ${opaque('n.due_at IS NULL OR b.due_at = $5')}`,
    [
      next.map(({ row }) => row.merchantId),
      next.map(({ row }) => row.bankId),
      next.map(({ row }) => row.bankConsentId),
      next.map(({ dueAt }) => dueAt),
      lease,
    ],
  );
}
