import type { Tx } from '../platform/db.ts';

/** Sets the bank's copy of a consent to be deleted there. */
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

/** The schedule is over: what it left at a bank for payments that waited is deleted now. */
export async function hastenRevocations(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE bank_revocations b SET due_at = $3 FROM consents c
     WHERE c.merchant_id = $1 AND c.schedule_id = $2 AND c.status = 'replaced' AND b.merchant_id = c.merchant_id
       AND b.bank_id = c.bank_id AND b.bank_consent_id = c.bank_consent_id AND b.due_at > $3`,
    [merchantId, scheduleId, now],
  );
}
