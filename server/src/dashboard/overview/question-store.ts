import type { Tx } from '../../platform/db/db.ts';

/** Returns up to `most` payments with the bank that were due by `dueBy`, oldest first. */
export function findLongUnderWay(
  tx: Tx,
  merchantId: string,
  dueBy: Temporal.Instant,
  most: number,
): Promise<{ paymentId: string }[]> {
  return tx.rows(
    `SELECT p.payment_id FROM payment_work w
     JOIN payments p ON p.merchant_id = w.merchant_id AND p.payment_id = w.payment_id
     WHERE w.merchant_id = $1 AND w.stage <> 'wait' AND p.due_date <= $2
     ORDER BY p.due_date, p.payment_id LIMIT $3`,
    [merchantId, dueBy, most],
  );
}

/** Returns up to `most` payments with open unexpected money, oldest money first. */
export function findBesideMoney(
  tx: Tx,
  merchantId: string,
  most: number,
): Promise<{ paymentId: string; since: Temporal.Instant }[]> {
  return tx.rows(
    `SELECT payment_id, min(arrived_at) AS since FROM unallocated_items
     WHERE merchant_id = $1 AND status = 'open' AND payment_id IS NOT NULL
     GROUP BY payment_id ORDER BY since, payment_id LIMIT $2`,
    [merchantId, most],
  );
}

/** Returns the amounts of these payments, in pence. */
export async function findAmounts(
  tx: Tx,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.rows<{ paymentId: string; amountPence: number }>(
    'SELECT payment_id, amount_pence FROM payments WHERE merchant_id = $1 AND payment_id = ANY ($2)',
    [merchantId, paymentIds],
  );
  return new Map(rows.map((row) => [row.paymentId, row.amountPence]));
}
