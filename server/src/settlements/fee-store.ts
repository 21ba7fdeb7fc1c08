import type { Tx } from '../platform/db/db.ts';
import { rowBy } from '../platform/db/row-by.ts';

/**
 * Inserts the transfer of a new settlement's fees, due now: those of its payments that no earlier settlement had, less what
 * was taken too much before. Does nothing if there are none.
 */
export async function insertFeeTransfer(
  tx: Tx,
  merchantId: string,
  settlementId: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `WITH fees AS (
       SELECT sum(p.fee_pence)::bigint AS pence FROM payments p
       WHERE p.merchant_id = $1 AND p.settlement_id = $2 AND NOT EXISTS (
         SELECT 1 FROM carried_payments c WHERE c.merchant_id = p.merchant_id AND c.payment_id = p.payment_id)
     ), planned AS (
       SELECT f.pence, greatest(0, f.pence + coalesce(
         (SELECT sum(fees_pence - coalesce(taken_pence, order_pence)) FROM fee_transfers WHERE merchant_id = $1), 0))::bigint
         AS order_pence FROM fees f WHERE f.pence > 0
     )
     INSERT INTO fee_transfers (merchant_id, settlement_id, fees_pence, order_pence, taken_pence, due_at, created_at)
     SELECT $1, $2, pence, order_pence, CASE order_pence WHEN 0 THEN 0 END, CASE WHEN order_pence > 0 THEN $3::timestamptz END,
       $3::timestamptz FROM planned`,
    [merchantId, settlementId, now],
  );
}

/** Fees being transferred at the issuer. */
export interface FeeTransferRow {
  merchantId: string;
  settlementId: string;
  orderPence: number;
  tries: number;
  createdAt: Temporal.Instant;
}

export const FEE_TRANSFER_COLUMNS =
  't.merchant_id, t.settlement_id, t.order_pence, t.tries, t.created_at';

/** Locks and returns a transfer of fees that has not ended. */
export const lockFeeTransfer = rowBy<FeeTransferRow>(
  `SELECT ${FEE_TRANSFER_COLUMNS} FROM fee_transfers t
   WHERE t.merchant_id = $1 AND t.settlement_id = $2 AND t.due_at IS NOT NULL FOR UPDATE`,
);

/** Ends a transfer with what the issuer has moved. Returns false if it had already ended. */
export async function markTransferred(
  tx: Tx,
  row: FeeTransferRow,
  takenPence: number,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE fee_transfers SET taken_pence = $3, due_at = NULL
     WHERE merchant_id = $1 AND settlement_id = $2 AND taken_pence IS NULL`,
    [row.merchantId, row.settlementId, takenPence],
  );
  return changed === 1;
}

/** Postpones a transfer; after a known failure it continues under the next key. */
export async function letFeesWait(
  tx: Tx,
  row: FeeTransferRow,
  until: Temporal.Instant,
  hasFailed: boolean,
): Promise<void> {
  await tx.run(
    `UPDATE fee_transfers SET due_at = $3, tries = tries + $5
     WHERE merchant_id = $1 AND settlement_id = $2 AND taken_pence IS NULL AND tries = $4`,
    [row.merchantId, row.settlementId, until, row.tries, hasFailed ? 1 : 0],
  );
}
