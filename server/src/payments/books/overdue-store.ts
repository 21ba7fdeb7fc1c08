import type { Tx } from '../../platform/db/db.ts';
import type { AttemptRef, PaymentKey } from '../payment/payment.ts';

/** A payment under way. */
/** How often the log says that a payment waits. */
const REPORTED_EVERY = Temporal.Duration.from({ hours: 24 });

/** Notes that the log says now that a payment waits. Returns false if it has said so within a day. */
export async function noteReported(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, paymentId }: PaymentKey,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE payment_work SET reported_at = $3
     WHERE merchant_id = $1 AND payment_id = $2 AND (reported_at IS NULL OR reported_at <= $4)`,
    [merchantId, paymentId, now, now.subtract(REPORTED_EVERY)],
  );
  return changed === 1;
}

/**
 * Whether the bank has reported an attempt as paid, and its money is on the unallocated list as another amount: only a person
 * ends it.
 */
export async function waitsForDecision(
  tx: Tx,
  { merchantId, paymentId, attempt }: Omit<AttemptRef, 'scheduleId'>,
): Promise<boolean> {
  const row = await tx.row(
    `SELECT FROM attempts a JOIN unallocated_items u ON u.merchant_id = a.merchant_id AND u.payment_id = a.payment_id
       AND u.attempt = a.number AND u.reason = 'another_amount' AND u.status = 'open'
     WHERE a.merchant_id = $1 AND a.payment_id = $2 AND a.number = $3 AND a.claimed_at IS NOT NULL LIMIT 1`,
    [merchantId, paymentId, attempt],
  );
  return row !== null;
}
