import type { Tx } from '../../platform/db/db.ts';
import type { Referenced } from '../../settlements/settlement.ts';
import type { DayRange } from '../reports/range.ts';
import type { PayOut } from './journal.ts';

/** More than any layout takes: each is two lines at least. */
const MAX_PAY_OUTS = 5_000;

/**
 * The pay-outs booked from `$2` until `$3`, and those that came back then, of the settlements opened before. A settlement is paid
 * out again only after its pay-out came back, and its state changes in the transaction that books the return: its nth change from
 * `success` to `failed` is the return of its nth pay-out, also once a retry has cleared the issuer's id of it.
 */
const MOVES = `ours AS (
    SELECT merchant_id, settlement_id, attempts FROM settlements WHERE merchant_id = $1 AND created_at < $3
  ), every AS (
    SELECT s.settlement_id, 'paid_out' AS kind, p.at, row_number() OVER (PARTITION BY s.settlement_id ORDER BY a.attempt) AS nth
    FROM ours s
    CROSS JOIN LATERAL generate_series(1, s.attempts) AS a (attempt)
    CROSS JOIN LATERAL (SELECT at FROM transfers
      WHERE merchant_id = s.merchant_id AND source_id = s.settlement_id || '-' || a.attempt AND kind = 'pay_out' OFFSET 0) p
    UNION ALL
    SELECT s.settlement_id, 'came_back', c.at, row_number() OVER (PARTITION BY s.settlement_id ORDER BY c.change_id)
    FROM ours s CROSS JOIN LATERAL (SELECT change_id, at FROM state_changes
      WHERE merchant_id = s.merchant_id AND object_id = s.settlement_id AND schedule_id IS NULL
        AND from_state = 'success' AND to_state = 'failed' OFFSET 0) c
  ), moves AS MATERIALIZED (
    SELECT * FROM every WHERE at >= $2 AND at < $3 ORDER BY at LIMIT ${MAX_PAY_OUTS}
  )`;

/**
 * What was credited and the settlement `s` pays out, by what it came back from: a settlement, a refund, or null, a stranger's.
 * Money that was sent away by hand and came back again names the item that it was: then that item's row counts, not its own.
 */
const CREDITED = `WITH RECURSIVE origins AS (
    SELECT l.amount_pence, i.came_back_of
    FROM came_back_lines l CROSS JOIN LATERAL (SELECT came_back_of FROM unallocated_items
      WHERE merchant_id = l.merchant_id AND item_id = l.item_id OFFSET 0) i
    WHERE l.merchant_id = s.merchant_id AND (l.settlement_id = s.settlement_id OR s.settlement_id = ANY (l.carried_by))
    UNION ALL
    SELECT o.amount_pence, i.came_back_of
    FROM origins o CROSS JOIN LATERAL (SELECT came_back_of FROM unallocated_items
      WHERE merchant_id = s.merchant_id AND item_id = o.came_back_of OFFSET 0) i
  ) SELECT * FROM origins`;

/** Returns the pay-outs of a range of days, and those that came back in it, in the order in which they were booked. */
export function findPayOuts(
  tx: Tx,
  merchantId: string,
  { since, until }: DayRange,
  timeZone: string,
): Promise<(Omit<PayOut, 'reference' | 'statementReference'> & Referenced)[]> {
  return tx.rows(
    `WITH ${MOVES}
     SELECT s.settlement_id, s.statement_reference, s.issuer_reference, m.nth, m.kind, (m.at AT TIME ZONE $4)::date AS day,
       s.amount_pence, s.gross_pence, s.fees_pence, s.carried_pence, r.refunds_pence,
       r.refunds_back_pence + c.refunds_pence AS refunds_back_pence, c.settlements_pence AS came_back_pence, c.other_pence
     FROM moves m JOIN settlements s ON s.merchant_id = $1 AND s.settlement_id = m.settlement_id
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(l.amount_pence) FILTER (WHERE l.kind = 'refund'), 0)::bigint AS refunds_pence,
         coalesce(-sum(l.amount_pence) FILTER (WHERE l.kind = 'refund_back'), 0)::bigint AS refunds_back_pence
       FROM settlement_refund_lines x
       JOIN refund_lines l ON l.merchant_id = x.merchant_id AND l.refund_id = x.refund_id AND l.kind = x.kind
       WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) r
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(o.amount_pence) FILTER (WHERE starts_with(o.came_back_of, 'set_')), 0)::bigint AS settlements_pence,
         coalesce(sum(o.amount_pence) FILTER (WHERE starts_with(o.came_back_of, 'ref_')), 0)::bigint AS refunds_pence,
         coalesce(sum(o.amount_pence) FILTER (WHERE o.came_back_of IS NULL), 0)::bigint AS other_pence
       FROM (${CREDITED}) o) c
     ORDER BY m.at, s.settlement_id, m.nth, m.kind DESC`,
    [merchantId, since, until, timeZone],
  );
}
