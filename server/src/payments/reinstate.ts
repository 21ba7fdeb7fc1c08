import { recordChanges } from '../platform/audit-trail.ts';
import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';
import { unguessed } from '../platform/unguessed.ts';
import type { RecognisedBy } from './allocation.ts';
import { readPaid } from './evidence-store.ts';
import type { PaymentStatus, RecordedRow } from './payment.ts';

/** The late money of a failed attempt. */
export interface LateMoney {
  attempt: number;
  payInId: string;
  by: RecognisedBy;
}

/**
 * Handles a late payment: the attempt was recorded as failed, but its money arrived. Cancels the retry and goes on with the
 * transfer to the merchant. Booking the money is the caller's.
 */
export async function reinstate(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  row: RecordedRow,
  { attempt, payInId, by }: LateMoney,
  from: PaymentStatus,
): Promise<void> {
  platform.log.error(
    { payment_id: row.payment_id, attempt },
    'money came for an attempt that had been recorded as failed',
  );
  await tx.run(
    `UPDATE payments SET status = 'processing', stage = 'move', due_at = $3, polls = 0, next_retry_at = NULL, failed_at = NULL
     WHERE merchant_id = $1 AND payment_id = $2`,
    [row.merchant_id, row.payment_id, now],
  );
  await tx.run(
    `UPDATE attempts SET status = 'success', finished_at = $4, error_code = NULL, error_message = NULL, pay_in_id = $5,
       pay_in_by = $6
     WHERE merchant_id = $1 AND payment_id = $2 AND number = $3`,
    [row.merchant_id, row.payment_id, attempt, now, payInId, by],
  );
  const { merchant_id: merchantId, payment_id: paymentId } = row;
  await readPaid(tx, now, [{ ref: { merchantId, paymentId, attempt } }]);
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
 * Which failed attempt of each payment has money that waits on the unallocated list, by payment id: it came while a later
 * attempt was under way.
 */
export async function findPaidAttempts(
  tx: Tx,
  rows: readonly RecordedRow[],
): Promise<Map<string, LateMoney>> {
  const paid = await tx.rows<{ payment_id: string; number: number; pay_in_id: string }>(
    `SELECT DISTINCT ON (a.payment_id) a.payment_id, a.number, a.pay_in_id
     FROM unnest($1::text[], $2::text[]) AS f (merchant_id, payment_id)
     JOIN attempts a ON a.merchant_id = f.merchant_id AND a.payment_id = f.payment_id
     WHERE ${unguessed("a.status = 'failed' AND a.pay_in_id IS NOT NULL")} ORDER BY a.payment_id, a.number`,
    [rows.map((row) => row.merchant_id), rows.map((row) => row.payment_id)],
  );
  return new Map(
    paid.map((one) => [
      one.payment_id,
      { attempt: one.number, payInId: one.pay_in_id, by: 'name' as const },
    ]),
  );
}
