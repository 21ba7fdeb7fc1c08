import type { Tx } from '../../platform/db/db.ts';
import type { Referenced } from '../../settlements/settlement.ts';
import type { DayRange } from '../reports/range.ts';
import type { PayOut } from './journal.ts';

/** More than any layout takes: each is two lines at least. */
const MAX_PAY_OUTS = 5_000;

/**
 * The pay-outs booked from `$2` until `$3`, and those that came back then, of the settlements opened before. A return is booked
 * under the issuer's movement, which the settlement names until it is retried: after that it is the return of this amount between
 * the pay-out and the next attempt.
 */
const MOVES = `paid AS (
    SELECT s.merchant_id, s.settlement_id, s.amount_pence, s.attempts, s.return_movement_id, a.attempt, p.transfer_id, p.at,
      row_number() OVER (PARTITION BY s.settlement_id ORDER BY a.attempt) AS nth
    FROM settlements s
    CROSS JOIN LATERAL generate_series(1, s.attempts) AS a (attempt)
    CROSS JOIN LATERAL (SELECT transfer_id, at FROM transfers
      WHERE merchant_id = s.merchant_id AND source_id = s.settlement_id || '-' || a.attempt AND kind = 'pay_out' OFFSET 0) p
    WHERE s.merchant_id = $1 AND s.created_at < $3
  ), every AS (
    SELECT settlement_id, nth, 'paid_out' AS kind, at FROM paid
    UNION ALL
    SELECT p.settlement_id, p.nth, 'came_back', b.at FROM paid p CROSS JOIN LATERAL (
      (SELECT t.at FROM transfers t
       WHERE p.attempt = p.attempts AND t.merchant_id = p.merchant_id AND t.source_id = p.return_movement_id
         AND t.kind = 'pay_out_return')
      UNION ALL
      (SELECT t.at FROM transfers n JOIN transfers t ON t.merchant_id = n.merchant_id
         AND t.transfer_id > p.transfer_id AND t.transfer_id < n.transfer_id
       WHERE p.attempt < p.attempts AND n.merchant_id = p.merchant_id
         AND n.source_id = p.settlement_id || '-' || (p.attempt + 1) AND n.kind = 'settle'
         AND t.kind = 'pay_out_return' AND t.amount_pence = p.amount_pence
       ORDER BY t.transfer_id LIMIT 1)) b
  ), moves AS MATERIALIZED (
    SELECT * FROM every WHERE at >= $2 AND at < $3 ORDER BY at LIMIT ${MAX_PAY_OUTS}
  )`;

/** Returns the pay-outs of a range of days, and those that came back in it, in the order in which they were booked. */
export function findPayOuts(
  tx: Tx,
  merchantId: string,
  { since, until }: DayRange,
  timeZone: string,
): Promise<(Omit<PayOut, 'reference'> & Referenced)[]> {
  return tx.rows(
    `WITH ${MOVES}
     SELECT s.settlement_id, s.statement_reference, s.issuer_reference, m.nth, m.kind, (m.at AT TIME ZONE $4)::date AS day,
       s.amount_pence, s.gross_pence, s.fees_pence, s.carried_pence, r.refunds_pence, r.refunds_back_pence, c.came_back_pence
     FROM moves m JOIN settlements s ON s.merchant_id = $1 AND s.settlement_id = m.settlement_id
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(l.amount_pence) FILTER (WHERE l.kind = 'refund'), 0)::bigint AS refunds_pence,
         coalesce(-sum(l.amount_pence) FILTER (WHERE l.kind = 'refund_back'), 0)::bigint AS refunds_back_pence
       FROM settlement_refund_lines x
       JOIN refund_lines l ON l.merchant_id = x.merchant_id AND l.refund_id = x.refund_id AND l.kind = x.kind
       WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) r
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(l.amount_pence), 0)::bigint AS came_back_pence FROM came_back_lines l
       WHERE l.merchant_id = s.merchant_id
         AND (l.settlement_id = s.settlement_id OR s.settlement_id = ANY (l.carried_by))) c
     ORDER BY m.at, s.settlement_id, m.nth, m.kind DESC`,
    [merchantId, since, until, timeZone],
  );
}
