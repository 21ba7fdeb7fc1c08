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
} & { [K in keyof Referenced]: Referenced[K] | null };

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
       SELECT merchant_id, transfer_id, kind, source_id, (at AT TIME ZONE $4)::date AS day,
         CASE WHEN credit_account_id IN (SELECT account_id FROM own) THEN amount_pence ELSE -amount_pence END AS pence
       FROM transfers
       WHERE merchant_id = $1 AND transfer_id > $5 AND at >= $2 AND at < $3
         AND (debit_account_id IN (SELECT account_id FROM own) OR credit_account_id IN (SELECT account_id FROM own))
       ORDER BY transfer_id LIMIT $6
     )
     SELECT t.transfer_id, t.kind, t.day, t.pence, t.source_id, d.payment_id AS recalled_id,
       s.settlement_id, s.statement_reference, s.issuer_reference
     FROM page t
     LEFT JOIN settlements s ON s.merchant_id = t.merchant_id AND t.kind IN ('settle', 'settle_back')
       AND s.settlement_id = regexp_replace(t.source_id, '-[0-9]+$', '')
     LEFT JOIN debts d ON d.merchant_id = t.merchant_id AND t.kind = 'net' AND d.debt_id = t.source_id
     ORDER BY t.transfer_id`,
    [merchantId, since, until, timeZone, after ?? firstId('trf', since), limit],
  );
  return rows.map(({ sourceId, recalledId, settlementId, ...row }) => ({
    transferId: row.transferId,
    kind: kindOf(row),
    day: row.day,
    pence: row.pence,
    reference:
      settlementId === null
        ? (recalledId ?? sourceId)
        : statementReference({ ...row, settlementId }),
  }));
}
