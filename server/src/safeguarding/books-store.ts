import type { Tx } from '../platform/db/db.ts';
import { firstId } from '../platform/values/ids.ts';
import type { Receipt } from './breaches.ts';
import type { Books, Mended } from './figures.ts';

/**
 * SQL: the postings since `$1`, along the primary key: an id is never earlier than the moment of its posting. `$2` is the first
 * id of that moment.
 */
const SINCE = `merchants m JOIN transfers t ON t.merchant_id = m.merchant_id AND t.transfer_id >= $2 WHERE t.at >= $1`;

/**
 * SQL: each account with its balance as of `$1`: the balance now, less what was posted since. `$2` is the first id of a transfer
 * of that moment.
 */
export const ACCOUNTS_AT = `(SELECT a.merchant_id, a.account_id, a.kind, a.balance_pence - coalesce(l.pence, 0) AS pence
  FROM accounts a LEFT JOIN (
    SELECT merchant_id, account_id, sum(pence) AS pence FROM (
      SELECT t.merchant_id, t.credit_account_id AS account_id, t.amount_pence AS pence FROM ${SINCE}
      UNION ALL SELECT t.merchant_id, t.debit_account_id, -t.amount_pence FROM ${SINCE}) sides
    GROUP BY merchant_id, account_id) l ON l.merchant_id = a.merchant_id AND l.account_id = a.account_id)`;

/** Returns the two values of `ACCOUNTS_AT`. */
export const valuesAt = (at: Temporal.Instant): [Temporal.Instant, string] => [
  at,
  firstId('trf', at),
];

/**
 * SQL: the fees of each merchant that a settlement had taken by `$1`, and that reached the operator's wallet only later, or not
 * yet: they are in the merchant's `fees` account, and owed to no client. `$2` is the first id of a transfer of that moment.
 */
export const FEES_DUE = `(SELECT f.merchant_id, sum(f.order_pence) AS pence FROM fee_transfers f
  WHERE f.created_at < $1 AND (f.due_at IS NOT NULL
    OR (f.merchant_id, f.settlement_id) IN (SELECT t.merchant_id, t.source_id FROM ${SINCE} AND t.kind = 'fee_out'))
  GROUP BY f.merchant_id)`;

/** Reads what the books say as of a moment. Receipts are counted from `receiptsFrom` on. Call it in a snapshot. */
export async function readBooksAt(
  tx: Tx,
  at: Temporal.Instant,
  receiptsFrom: Temporal.Instant,
): Promise<Books> {
  const sum = (kinds: string): string =>
    `coalesce(sum(pence) FILTER (WHERE kind IN (${kinds})), 0)::bigint`;
  const feesDue = `(SELECT coalesce(sum(pence), 0) FROM ${FEES_DUE} due)::bigint`;
  const row = await tx.row<Omit<Books, 'receiptsPence'>>(
    `SELECT ${sum("'customer_wallet'")} AS customers_pence, ${sum("'merchant_wallet', 'fees'")} - ${feesDue} AS merchants_pence,
       ${sum("'in_settlement'")} AS paying_out_pence, ${sum("'unallocated'")} AS unallocated_pence,
       ${feesDue} AS fees_pence, -${sum("'owed'")} AS recalled_pence,
       -${sum("'outside', 'due_from_bank'")} AS held_pence,
       (count(*) FILTER (WHERE kind = 'customer_wallet' AND pence > 0)
         + count(DISTINCT merchant_id) FILTER (WHERE kind IN ('merchant_wallet', 'in_settlement') AND pence > 0))::int AS clients
     FROM ${ACCOUNTS_AT} at_point`,
    valuesAt(at),
  );
  if (row === null) throw new Error('a sum without a row');
  return { ...row, receiptsPence: await readReceipts(tx, receiptsFrom, at) };
}

/** Returns what arrived from outside in a period, in pence. */
async function readReceipts(tx: Tx, from: Temporal.Instant, to: Temporal.Instant): Promise<number> {
  const row = await tx.row<{ pence: number }>(
    `SELECT coalesce(sum(t.amount_pence), 0)::bigint AS pence
     FROM ${SINCE} AND t.at < $3 AND t.kind IN ('pay_in', 'extra_pay_in')`,
    [...valuesAt(from), to],
  );
  return row?.pence ?? 0;
}

/** Returns what left the books between a run's point and a later moment: covers of recalled pay-ins, and fees that were due. */
export async function readLeft(
  tx: Tx,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Promise<Pick<Mended, 'coveredPence' | 'feesOutPence'>> {
  const row = await tx.row<Pick<Mended, 'coveredPence' | 'feesOutPence'>>(
    `SELECT coalesce(sum(t.amount_pence) FILTER (WHERE t.kind = 'cover' AND EXISTS (SELECT FROM debts d
         WHERE d.merchant_id = t.merchant_id AND d.debt_id = t.source_id AND d.created_at < $1)), 0)::bigint AS covered_pence,
       coalesce(sum(t.amount_pence) FILTER (WHERE t.kind = 'fee_out' AND EXISTS (SELECT FROM fee_transfers f
         WHERE f.merchant_id = t.merchant_id AND f.settlement_id = t.source_id AND f.created_at < $1)), 0)::bigint
         AS fees_out_pence
     FROM ${SINCE} AND t.at < $3 AND t.kind IN ('cover', 'fee_out')`,
    [...valuesAt(from), to],
  );
  return row ?? { coveredPence: 0, feesOutPence: 0 };
}

/** Returns the receipts that are of no client, and those that were until after a moment, oldest first. */
export function findReceipts(tx: Tx, since: Temporal.Instant): Promise<Receipt[]> {
  return tx.rows<Receipt>(
    `SELECT * FROM (
       SELECT merchant_id, item_id, amount_pence, arrived_at, ended_at FROM unallocated_items WHERE status = 'open'
       UNION ALL SELECT merchant_id, item_id, amount_pence, arrived_at, ended_at FROM unallocated_items
         WHERE status <> 'open' AND ended_at >= $1) late ORDER BY arrived_at, item_id`,
    [since],
  );
}
