import { findStopped } from '../../banks/stop-store.ts';
import { findHeld } from '../../merchants/holds/hold-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { SubmitRow } from '../payment/attempt.ts';
import { dueNowOrAfterLease } from './lease-store.ts';

/** Returns the payments whose orders wait: their merchant is suspended, or their bank is stopped. */
export async function findHeldPayments(
  tx: Tx,
  rows: readonly Pick<SubmitRow, 'merchantId' | 'bankId' | 'paymentId'>[],
): Promise<Set<string>> {
  const merchantIds = rows.map((row) => row.merchantId);
  const bankIds = rows.map((row) => row.bankId);
  const [suspended, stopped] = await Promise.all([
    findHeld(tx, 'suspended', merchantIds),
    findStopped(tx, bankIds),
  ]);
  const held = rows.filter((row) => suspended.has(row.merchantId) || stopped.has(row.bankId));
  return new Set(held.map((row) => row.paymentId));
}

/** Makes the orders of a merchant, or at a bank, due that waited for the end of a hold or of an outage. */
export async function resumeOrders(
  tx: Tx,
  now: Temporal.Instant,
  of: { merchantId: string } | { bankId: string },
): Promise<void> {
  const [column, id] = 'merchantId' in of ? ['merchant_id', of.merchantId] : ['bank_id', of.bankId];
  await tx.run(
    `UPDATE payment_work w SET ${dueNowOrAfterLease('w', '$2')} WHERE ${column} = $1 AND stage = 'submit' AND due_at > $2`,
    [id, now],
  );
}
