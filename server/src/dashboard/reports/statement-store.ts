import type { Tx } from '../../platform/db/db.ts';
import { firstId } from '../../platform/values/ids.ts';
import { OWED } from '../../wallets/ledger-store.ts';
import type { DayRange } from './range.ts';

/** What moved on one day, for one reason, into (above zero) or out of the merchant's wallet, or what is owed. */
export interface MovedRow {
  part: 'wallet' | 'owed';
  kind: string;
  /** Null: after the range. */
  day: Temporal.PlainDate | null;
  value: number;
  count: number;
}

/** What moved since a range began, and the present balances, all of one instant. */
export interface Moved {
  rows: MovedRow[];
  walletPence: number;
  owedPence: number;
}

type Row = { [K in keyof MovedRow]: MovedRow[K] | null } & {
  walletPence: number;
  owedPence: number;
};

/**
 * Reads what moved in the merchant's wallet, and in what the merchant owes, since a range began. The ids of transfers are no
 * earlier than their time, so those of the range and after it are one stretch of the primary key.
 */
export async function readMoved(
  tx: Tx,
  merchantId: string,
  { since, until }: DayRange,
  timeZone: string,
): Promise<Moved> {
  const rows = await tx.rows<Row>(
    `WITH own AS MATERIALIZED (
       SELECT wallet_id AS account_id FROM wallets WHERE merchant_id = $1 AND customer_id IS NULL
     ), moved AS (
       SELECT CASE WHEN '${OWED}' IN (debit_account_id, credit_account_id) THEN 'owed' ELSE 'wallet' END AS part, kind,
              CASE WHEN at < $3 THEN (at AT TIME ZONE $4)::date END AS day,
              sum(CASE WHEN credit_account_id = '${OWED}' OR credit_account_id IN (SELECT account_id FROM own)
                THEN amount_pence ELSE -amount_pence END)::bigint AS value, count(*) AS count
       FROM transfers
       WHERE merchant_id = $1 AND transfer_id >= $5 AND at >= $2
         AND ('${OWED}' IN (debit_account_id, credit_account_id)
           OR debit_account_id IN (SELECT account_id FROM own) OR credit_account_id IN (SELECT account_id FROM own))
       GROUP BY 1, 2, 3
     ), present AS (
       SELECT coalesce(sum(balance_pence) FILTER (WHERE account_id <> '${OWED}'), 0)::bigint AS wallet_pence,
              coalesce(sum(balance_pence) FILTER (WHERE account_id = '${OWED}'), 0)::bigint AS owed_pence
       FROM accounts WHERE merchant_id = $1 AND account_id = ANY (ARRAY(SELECT account_id FROM own) || '${OWED}'::text)
     )
     SELECT present.*, moved.* FROM present LEFT JOIN moved ON true`,
    [merchantId, since, until, timeZone, firstId('trf', since)],
  );
  const [first] = rows;
  return {
    rows: rows.filter((row): row is Row & MovedRow => row.part !== null),
    walletPence: first?.walletPence ?? 0,
    owedPence: first?.owedPence ?? 0,
  };
}
