import type { Tx } from '../../platform/db/db.ts';
import { firstId } from '../../platform/values/ids.ts';
import type { ScheduleStatus } from '../../schedules/terms/schedule.ts';
import type { DayRow } from './days.ts';

/**
 * Sums collected and finally failed payments since a moment, per calendar day. What was collected is what the transfers to the
 * merchant's wallet say: their ids are in the order of time.
 */
export function sumEnded(
  tx: Tx,
  merchantId: string,
  since: Temporal.Instant,
  timeZone: string,
): Promise<DayRow[]> {
  const sums = 'sum(amount_pence)::bigint AS value, count(*) AS count';
  return tx.rows<DayRow>(
    `SELECT (at AT TIME ZONE $3)::date AS day, 'collected' AS what, ${sums} FROM transfers
     WHERE merchant_id = $1 AND transfer_id >= $4 AND kind = 'move' AND at >= $2 GROUP BY 1
     UNION ALL
     SELECT (failed_at AT TIME ZONE $3)::date AS day, 'failed' AS what, ${sums} FROM payments
     WHERE merchant_id = $1 AND failed_at >= $2 GROUP BY 1`,
    [merchantId, since, timeZone, firstId('trf', since)],
  );
}

/** Sums settlements paid out since a moment, per day. A merchant has at most one a day. */
export function sumSettled(
  tx: Tx,
  merchantId: string,
  since: Temporal.Instant,
  timeZone: string,
): Promise<DayRow[]> {
  return tx.rows<DayRow>(
    `SELECT (completed_at AT TIME ZONE $3)::date AS day, 'settled' AS what,
            sum(amount_pence)::bigint AS value, count(*) AS count
     FROM settlements WHERE merchant_id = $1 AND status = 'success' AND completed_at >= $2 GROUP BY 1`,
    [merchantId, since, timeZone],
  );
}

/** Counts schedules by status; a status without any is absent. */
export function countByStatus(
  tx: Tx,
  merchantId: string,
): Promise<{ status: ScheduleStatus; count: number }[]> {
  return tx.rows(
    'SELECT status, count(*) AS count FROM schedules WHERE merchant_id = $1 GROUP BY status',
    [merchantId],
  );
}

/** Returns the balance of the merchant's own wallet in our ledger, in pence. */
export async function walletBalance(tx: Tx, merchantId: string): Promise<number> {
  const row = await tx.row<{ balancePence: number }>(
    `SELECT balance_pence FROM accounts WHERE merchant_id = $1 AND account_id = (
       SELECT wallet_id FROM wallets WHERE merchant_id = $1 AND customer_id IS NULL AND status <> 'closed')`,
    [merchantId],
  );
  return row?.balancePence ?? 0;
}

/** Returns the payout in progress, of the earliest day that has one. */
export function findUnderWay(
  tx: Tx,
  merchantId: string,
): Promise<{ settleDate: Temporal.PlainDate; amountPence: number } | null> {
  return tx.row(
    `SELECT settle_date, sum(amount_pence)::bigint AS amount_pence FROM settlements
     WHERE merchant_id = $1 AND status IN ('pending', 'processing') GROUP BY settle_date ORDER BY settle_date LIMIT 1`,
    [merchantId],
  );
}

/**
 * Returns when the next settlement is due, and its amount so far: payments of its day less their fees, and the amount carried
 * over from a failed one. What is to be settled is read once, by its merchant: in the order of the days it would be looked for
 * among all merchants'. Fees are only read of merchants who have any.
 */
export async function findNextSettlement(
  tx: Tx,
  merchantId: string,
): Promise<{ at: Temporal.Instant; value: number } | null> {
  const row = await tx.row<{ at: Temporal.Instant | null; value: number }>(
    `WITH collected AS MATERIALIZED (
       SELECT payment_id, settle_at, amount_pence FROM to_settle WHERE merchant_id = $1
     ), next AS MATERIALIZED (
       SELECT least(
         (SELECT min(settle_at) FROM collected),
         (SELECT min(due_at) FROM settlements WHERE merchant_id = $1 AND stage = 'carry')) AS at)
     SELECT at,
       (SELECT coalesce(sum(amount_pence), 0)::bigint FROM collected WHERE settle_at = at) +
       (SELECT coalesce(sum(amount_pence), 0)::bigint FROM settlements
        WHERE merchant_id = $1 AND stage = 'carry' AND due_at = at) -
       (SELECT coalesce(sum(p.fee_pence), 0)::bigint FROM collected c
        CROSS JOIN LATERAL (SELECT fee_pence FROM payments WHERE merchant_id = $1 AND payment_id = c.payment_id OFFSET 0) p
        WHERE c.settle_at = at AND EXISTS (SELECT FROM merchant_fees WHERE merchant_id = $1)) AS value
     FROM next`,
    [merchantId],
  );
  return row === null || row.at === null ? null : { at: row.at, value: row.value };
}

export interface LawRow {
  law: string;
  sentence: string;
  holds: boolean | null;
  checkedAt: Temporal.Instant;
  /** Since when the check has been inconclusive; null: it is not. */
  unknownSince: Temporal.Instant | null;
  /** Why, naming no merchant; null: it could be checked. */
  unknownReason: string | null;
}

/** Returns the findings of the last check of the laws of money. They cover the whole service, not one merchant. */
export function readLawFindings(tx: Tx): Promise<LawRow[]> {
  return tx.rows<LawRow>(
    'SELECT law, sentence, holds, checked_at, unknown_since, unknown_reason FROM law_findings ORDER BY law',
  );
}
