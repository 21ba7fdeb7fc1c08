import { recordChanges } from '../platform/audit-trail.ts';
import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';
import { unguessed } from '../platform/unguessed.ts';
import type { PaymentStatus, RecordedRow } from './payment.ts';

/** An attempt that was taken for failed was paid after all, and its money is booked: no retry, the money goes on. */
export async function revive(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  row: RecordedRow,
  attempt: number,
  from: PaymentStatus,
): Promise<void> {
  platform.log.error(
    { payment_id: row.payment_id, attempt },
    'money came for an attempt that the bank had called failed',
  );
  await tx.run(
    `UPDATE payments SET status = 'processing', stage = 'move', due_at = $3, polls = 0, next_retry_at = NULL, failed_at = NULL
     WHERE merchant_id = $1 AND payment_id = $2`,
    [row.merchant_id, row.payment_id, now],
  );
  await tx.run(
    `UPDATE attempts SET status = 'success', finished_at = $4, error_code = NULL, error_message = NULL
     WHERE merchant_id = $1 AND payment_id = $2 AND number = $3`,
    [row.merchant_id, row.payment_id, attempt, now],
  );
  await recordChanges(tx, now, [
    {
      merchantId: row.merchant_id,
      objectId: row.payment_id,
      scheduleId: row.schedule_id,
      from,
      to: 'processing',
      reason: 'the money arrived after all',
    },
  ]);
}

/**
 * Which failed attempt of each payment was paid after all, by payment id: its money came while a later attempt was under
 * way, and lies in the customer's wallet.
 */
export async function findPaidAttempts(
  tx: Tx,
  rows: readonly RecordedRow[],
): Promise<Map<string, number>> {
  const paid = await tx.rows<{ payment_id: string; number: number }>(
    `SELECT a.payment_id, min(a.number) AS number FROM unnest($1::text[], $2::text[]) AS f (merchant_id, payment_id)
     JOIN attempts a ON a.merchant_id = f.merchant_id AND a.payment_id = f.payment_id
     WHERE ${unguessed("a.status = 'failed' AND a.pay_in_id IS NOT NULL")} GROUP BY a.payment_id`,
    [rows.map((row) => row.merchant_id), rows.map((row) => row.payment_id)],
  );
  return new Map(paid.map((found) => [found.payment_id, found.number]));
}
