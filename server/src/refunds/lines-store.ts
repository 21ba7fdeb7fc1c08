import type { Tx } from '../platform/db/db.ts';

/** What refunds take from, or give back to, the next settlement: docs/rules/settlements.md#what-is-netted. */

interface RefundLine {
  merchantId: string;
  refundId: string;
  amountPence: number;
}

/** Adds what a refund takes from the next settlement. The caller holds the merchant's `in_settlement` account. */
export async function insertLine(tx: Tx, line: RefundLine): Promise<void> {
  await tx.run(
    `INSERT INTO refund_lines (merchant_id, refund_id, kind, amount_pence) VALUES ($1, $2, 'refund', $3)`,
    [line.merchantId, line.refundId, line.amountPence],
  );
}

/** Adds what a failed refund gives back, paid out from `settleAt` on. The caller holds the same account. */
export async function insertCreditLine(
  tx: Tx,
  line: RefundLine,
  settleAt: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `INSERT INTO refund_lines (merchant_id, refund_id, kind, amount_pence, settle_at) VALUES ($1, $2, 'refund_back', -$3::bigint, $4)`,
    [line.merchantId, line.refundId, line.amountPence, settleAt],
  );
}

/** Returns what refunds take from the next settlement, in pence. What failed ones give back is not counted. */
export async function sumRefunds(tx: Tx, merchantId: string): Promise<number> {
  const row = await tx.row<{ pence: number }>(
    `SELECT coalesce(sum(amount_pence), 0)::bigint AS pence FROM refund_lines
     WHERE merchant_id = $1 AND settlement_id IS NULL AND kind = 'refund'`,
    [merchantId],
  );
  return row?.pence ?? 0;
}

/** Nets every refund that no settlement has netted, and what these failed ones give back. */
export async function netRefunds(
  tx: Tx,
  merchantId: string,
  settlementId: string,
  givenBack: readonly string[],
): Promise<void> {
  await tx.run(
    `UPDATE refund_lines SET settlement_id = $2
     WHERE merchant_id = $1 AND settlement_id IS NULL AND (kind = 'refund' OR refund_id = ANY ($3))`,
    [merchantId, settlementId, givenBack],
  );
}

/** Releases the lines of settlements for a later one; the record of them stays. */
export async function releaseRefunds(
  tx: Tx,
  merchantId: string,
  settlementIds: readonly string[],
): Promise<void> {
  await tx.run(
    `WITH kept AS (
       INSERT INTO carried_refund_lines (merchant_id, settlement_id, refund_id, kind)
       SELECT merchant_id, settlement_id, refund_id, kind FROM refund_lines
       WHERE merchant_id = $1 AND settlement_id = ANY ($2) RETURNING 1)
     UPDATE refund_lines SET settlement_id = NULL WHERE merchant_id = $1 AND settlement_id = ANY ($2)`,
    [merchantId, settlementIds],
  );
}

/** Puts off what is due to be paid out to `until`. */
export async function postponeRefunds(
  tx: Tx,
  merchantId: string,
  now: Temporal.Instant,
  until: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE refund_lines SET settle_at = $3 WHERE merchant_id = $1 AND settlement_id IS NULL AND settle_at <= $2`,
    [merchantId, now, until],
  );
}
