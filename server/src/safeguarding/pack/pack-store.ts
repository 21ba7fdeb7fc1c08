import type { Tx } from '../../platform/db/db.ts';

/** Money that was of no client at a moment. */
export interface ReceiptRow {
  merchantId: string;
  itemId: string;
  amountPence: number;
  arrivedAt: Temporal.Instant;
  reason: string;
  paymentId: string | null;
  walletId: string;
}

/** Returns the receipts that were of no client as of a moment, oldest first. */
export const findReceiptsAt = (tx: Tx, at: Temporal.Instant): Promise<ReceiptRow[]> =>
  tx.rows<ReceiptRow>(
    `SELECT merchant_id, item_id, amount_pence, arrived_at, reason, payment_id, wallet_id FROM unallocated_items
     WHERE opened_at < $1 AND (status = 'open' OR status <> 'open' AND ended_at >= $1) ORDER BY arrived_at, item_id`,
    [at],
  );

/** Returns all merchants, oldest first. */
export async function findMerchantIds(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ merchantId: string }>(
    'SELECT merchant_id FROM merchants ORDER BY created_at, merchant_id',
  );
  return rows.map(({ merchantId }) => merchantId);
}

/** A daily comparison, line by line, with the issuer's statement. */
export interface ReportRow {
  date: Temporal.PlainDate;
  madeAt: Temporal.Instant;
  lines: number;
  differences: number;
  unknown: string | null;
}

/** Returns the daily comparisons up to a day, oldest first. */
export const findReportsUntil = (
  tx: Tx,
  issuer: string,
  day: Temporal.PlainDate,
): Promise<ReportRow[]> =>
  tx.rows<ReportRow>(
    `SELECT date, made_at, lines, differences, unknown FROM reconciliations WHERE issuer = $1 AND date <= $2 ORDER BY date`,
    [issuer, day],
  );
