import type { Tx } from '../../platform/db/db.ts';
import { firstId } from '../../platform/values/ids.ts';
import { type Referenced, statementReference } from '../../settlements/settlement.ts';
import type { DayRange } from '../reports/range.ts';
import { kindOf } from '../reports/statement.ts';
import type { CamtMovement } from './camt.ts';

type Row = Omit<CamtMovement, 'kind' | 'reference'> & {
  kind: string;
  sourceId: string;
  /** Of a recall that was netted. */
  recalledId: string | null;
  /** Whose pay-out came back. */
  refundId: string | null;
} & { [K in keyof Referenced]: Referenced[K] | null };

/**
 * Whose pay-out each return of the page was. A retry clears the issuer's id of the return from its settlement: then the amount
 * and the moment lead to the settlement, whose state changed in the same transaction. Two of both go by the order of their ids.
 */
const RETURNS = `named AS (
    SELECT t.merchant_id, t.transfer_id, t.at, t.pence, r.refund_id, s.settlement_id
    FROM page t
    LEFT JOIN refunds r ON r.merchant_id = t.merchant_id AND r.return_movement_id = t.source_id
    LEFT JOIN settlements s ON s.merchant_id = t.merchant_id AND s.return_movement_id = t.source_id
    WHERE t.kind = 'pay_out_return'
  ), unnamed AS (
    SELECT transfer_id, at, pence, row_number() OVER (PARTITION BY at, pence ORDER BY transfer_id) AS nth
    FROM named WHERE refund_id IS NULL AND settlement_id IS NULL
  ), retried AS (
    SELECT s.settlement_id, s.amount_pence, c.at,
      row_number() OVER (PARTITION BY c.at, s.amount_pence ORDER BY c.change_id) AS nth
    FROM settlements s CROSS JOIN LATERAL (SELECT change_id, at FROM state_changes
      WHERE merchant_id = s.merchant_id AND object_id = s.settlement_id AND schedule_id IS NULL
        AND from_state = 'success' AND to_state = 'failed' OFFSET 0) c
    WHERE s.merchant_id = $1 AND s.attempts > 1 AND (s.return_movement_id IS NULL OR s.failed_at <> c.at)
  ), returns AS (
    SELECT n.transfer_id, n.refund_id, coalesce(n.settlement_id, a.settlement_id) AS settlement_id
    FROM named n
    LEFT JOIN unnamed u ON u.transfer_id = n.transfer_id
    LEFT JOIN retried a ON a.at = u.at AND a.amount_pence = u.pence AND a.nth = u.nth
  )`;

/**
 * Returns the movements of the merchant's wallet in a range, those of `readMoved`: at most `limit` after a transfer, in the order
 * of their ids.
 */
export async function findMovements(
  tx: Tx,
  merchantId: string,
  { since, until }: DayRange,
  timeZone: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<CamtMovement[]> {
  const rows = await tx.rows<Row>(
    `WITH own AS MATERIALIZED (
       SELECT wallet_id AS account_id FROM wallets WHERE merchant_id = $1 AND customer_id IS NULL
     ), page AS MATERIALIZED (
       SELECT merchant_id, transfer_id, kind, source_id, at, (at AT TIME ZONE $4)::date AS day,
         CASE WHEN credit_account_id IN (SELECT account_id FROM own) THEN amount_pence ELSE -amount_pence END AS pence
       FROM transfers
       WHERE merchant_id = $1 AND transfer_id > $5 AND at >= $2 AND at < $3
         AND (debit_account_id IN (SELECT account_id FROM own) OR credit_account_id IN (SELECT account_id FROM own))
       ORDER BY transfer_id LIMIT $6
     ), ${RETURNS}
     SELECT t.transfer_id, t.kind, t.day, t.pence, t.source_id, d.payment_id AS recalled_id, b.refund_id,
       s.settlement_id, s.statement_reference, s.issuer_reference
     FROM page t
     LEFT JOIN returns b ON b.transfer_id = t.transfer_id
     LEFT JOIN settlements s ON s.merchant_id = t.merchant_id AND s.settlement_id = coalesce(b.settlement_id,
       CASE WHEN t.kind IN ('settle', 'settle_back') THEN regexp_replace(t.source_id, '-[0-9]+$', '') END)
     LEFT JOIN debts d ON d.merchant_id = t.merchant_id AND t.kind = 'net' AND d.debt_id = t.source_id
     ORDER BY t.transfer_id`,
    [merchantId, since, until, timeZone, after ?? firstId('trf', since), limit],
  );
  return rows.map(({ sourceId, recalledId, refundId, settlementId, ...row }) => ({
    transferId: row.transferId,
    kind: kindOf(row),
    day: row.day,
    pence: row.pence,
    reference:
      settlementId === null
        ? (recalledId ?? refundId ?? sourceId)
        : statementReference({ ...row, settlementId }),
  }));
}
