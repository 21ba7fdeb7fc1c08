import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { opaque } from '../../platform/values/opaque.ts';

/** The payment queries and updates of settlements: which payments are paid out when, and by which settlement. */

/** Adds payments whose money is in the merchant's wallet to what is to be settled, from `settleAt` on. */
export async function insertToSettle(
  tx: Tx,
  payments: readonly { merchantId: string; paymentId: string; amountPence: number }[],
  settleAt: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `INSERT INTO to_settle (merchant_id, payment_id, amount_pence, settle_at)
     SELECT *, $4::timestamptz FROM unnest($1::text[], $2::text[], $3::bigint[])`,
    [...columns(payments, 'merchantId', 'paymentId', 'amountPence'), settleAt],
  );
}

/** Assigns the payments due for settlement to it, oldest first and up to `mostPence`. Returns their total and fees, in pence. */
export async function assignToSettlement(
  tx: Tx,
  merchantId: string,
  settlementId: string,
  now: Temporal.Instant,
  mostPence: number,
): Promise<{ grossPence: number; feesPence: number }> {
  const row = await tx.row<{ gross: number; fees: number }>(
    `WITH due AS MATERIALIZED (
       SELECT merchant_id, payment_id, sum(amount_pence) OVER (ORDER BY settle_at, payment_id) AS up_to FROM to_settle
       WHERE merchant_id = $1 AND ${opaque('settle_at <= $3')}
     ), taken AS (
       DELETE FROM to_settle t USING due d
       WHERE t.merchant_id = d.merchant_id AND t.payment_id = d.payment_id AND d.up_to <= $4
       RETURNING t.merchant_id, t.payment_id
     ), assigned AS (
       UPDATE payments p SET settlement_id = $2 FROM taken t
       WHERE p.merchant_id = t.merchant_id AND p.payment_id = t.payment_id RETURNING p.amount_pence, p.fee_pence
     )
     SELECT coalesce(sum(amount_pence), 0)::bigint AS gross, coalesce(sum(fee_pence), 0)::bigint AS fees FROM assigned`,
    [merchantId, settlementId, now, mostPence],
  );
  return { grossPence: row?.gross ?? 0, feesPence: row?.fees ?? 0 };
}

/** Releases the payments of settlements, so that a later settlement can pay them out. They have been due since their success. */
export async function releaseFromSettlements(
  tx: Tx,
  merchantId: string,
  settlementIds: readonly string[],
): Promise<void> {
  await tx.run(
    `WITH released AS (
       UPDATE payments SET settlement_id = NULL WHERE merchant_id = $1 AND settlement_id = ANY ($2)
       RETURNING merchant_id, payment_id, completed_at, amount_pence
     )
     INSERT INTO to_settle (merchant_id, payment_id, settle_at, amount_pence) SELECT * FROM released`,
    [merchantId, settlementIds],
  );
}

/** Puts off all payments that are due for settlement to `until`. Returns how many. */
export function postponeUnsettled(
  tx: Tx,
  merchantId: string,
  now: Temporal.Instant,
  until: Temporal.Instant,
): Promise<number> {
  return tx.run(
    `UPDATE to_settle SET settle_at = $3, put_off_from = coalesce(put_off_from, settle_at) WHERE merchant_id = $1 AND ${opaque('settle_at <= $2')}`,
    [merchantId, now, until],
  );
}

export interface RecalledPayment {
  paymentId: string;
  scheduleId: string;
  amountPence: number;
  /** What earlier recalls took back. */
  returnedPence: number;
  currency: string;
}

/**
 * Locks and returns the payment that a pay-in paid for; null: it paid for none. The money of a failed attempt has paid for
 * nothing: it is on the unallocated list.
 */
export function lockPaidBy(
  tx: Tx,
  merchantId: string,
  payInId: string,
): Promise<RecalledPayment | null> {
  return tx.row<RecalledPayment>(
    `SELECT p.payment_id, p.schedule_id, p.currency, p.amount_pence, coalesce(p.returned_pence, 0) AS returned_pence
     FROM payments p
     WHERE p.merchant_id = $1 AND p.payment_id = (
       SELECT a.payment_id FROM attempts a WHERE a.merchant_id = $1 AND a.pay_in_id = $2 AND a.status = 'success' LIMIT 1)
     FOR UPDATE`,
    [merchantId, payInId],
  );
}

/** Records on a payment that its money, or another part of it, was recalled. */
export async function markReturned(
  tx: Tx,
  returned: { merchantId: string; paymentId: string; amountPence: number; reason: string },
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE payments SET returned_pence = coalesce(returned_pence, 0) + $3, returned_at = $4, returned_reason = $5
     WHERE merchant_id = $1 AND payment_id = $2`,
    [returned.merchantId, returned.paymentId, returned.amountPence, now, returned.reason],
  );
}

/** Adds to what is refunded of a payment; below zero where a refund failed. The caller has locked the payment. */
export async function addRefunded(
  tx: Tx,
  { merchantId, paymentId }: { merchantId: string; paymentId: string },
  pence: number,
): Promise<void> {
  await tx.run(
    `UPDATE payments SET refunded_pence = coalesce(refunded_pence, 0) + $3 WHERE merchant_id = $1 AND payment_id = $2`,
    [merchantId, paymentId, pence],
  );
}
