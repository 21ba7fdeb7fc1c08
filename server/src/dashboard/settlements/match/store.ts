import type { Tx } from '../../../platform/db/db.ts';
import { type Referenced, statementReference } from '../../../settlements/settlement.ts';
import type { Expected } from './match.ts';

/** How many of the newest settlements a statement is compared with, whatever its days: ten years of one a day. */
const NEWEST = 2500;
/** How long after its day a settlement that failed may be paid out again, and still be found in an old statement. */
const RETRIED_WITHIN = Temporal.Duration.from({ days: 31 });

/** Returns the settlements that may be on a statement of these days, the oldest first; null: it names none. */
export async function findExpected(
  tx: Tx,
  merchantId: string,
  period: { from: Temporal.PlainDate; to: Temporal.PlainDate } | null,
): Promise<Expected[]> {
  const rows = await tx.rows<
    Referenced & { pence: number; status: string; day: Temporal.PlainDate }
  >(
    `SELECT settlement_id, statement_reference, issuer_reference, amount_pence AS pence, status,
       coalesce((completed_at AT TIME ZONE 'Europe/London')::date, settle_date) AS day
     FROM settlements WHERE merchant_id = $1 AND (settle_date BETWEEN $2::date AND $3::date OR settlement_id IN (
       SELECT settlement_id FROM settlements WHERE merchant_id = $1 ORDER BY created_at DESC, settlement_id DESC LIMIT ${NEWEST}))
     ORDER BY day, created_at, settlement_id`,
    [merchantId, period?.from.subtract(RETRIED_WITHIN) ?? null, period?.to ?? null],
  );
  return rows.map((row) => ({
    settlementId: row.settlementId,
    reference: statementReference(row),
    pence: row.pence,
    isPaid: row.status === 'success',
    day: row.day,
  }));
}
