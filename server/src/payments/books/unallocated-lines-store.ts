import type { Tx } from '../../platform/db/db.ts';

/** Money that came back and that a person gave to the merchant's balance: settlements pay it out, each line once. */

export interface CameBackLine {
  merchantId: string;
  itemId: string;
  amountPence: number;
}

/** Adds what the next settlement pays out of an item. The caller holds the merchant's `in_settlement` account. */
export async function insertCameBackLine(
  tx: Tx,
  line: CameBackLine,
  settleAt: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `INSERT INTO came_back_lines (merchant_id, item_id, amount_pence, settle_at) VALUES ($1, $2, $3, $4)`,
    [line.merchantId, line.itemId, line.amountPence, settleAt],
  );
}

/** Assigns lines to a settlement. */
export async function settleCameBack(
  tx: Tx,
  merchantId: string,
  settlementId: string,
  itemIds: readonly string[],
): Promise<void> {
  if (itemIds.length === 0) return;
  await tx.run(
    `UPDATE came_back_lines SET settlement_id = $2
     WHERE merchant_id = $1 AND item_id = ANY ($3) AND settlement_id IS NULL`,
    [merchantId, settlementId, itemIds],
  );
}

/** Releases the lines of settlements for a later one; the record of them stays. */
export async function releaseCameBack(
  tx: Tx,
  merchantId: string,
  settlementIds: readonly string[],
): Promise<void> {
  await tx.run(
    `UPDATE came_back_lines SET carried_by = carried_by || settlement_id, settlement_id = NULL
     WHERE merchant_id = $1 AND settlement_id = ANY ($2)`,
    [merchantId, settlementIds],
  );
}

/** Puts off what is due to be paid out to `until`. */
export async function postponeCameBack(
  tx: Tx,
  merchantId: string,
  now: Temporal.Instant,
  until: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE came_back_lines SET settle_at = $3 WHERE merchant_id = $1 AND settlement_id IS NULL AND settle_at <= $2`,
    [merchantId, now, until],
  );
}
