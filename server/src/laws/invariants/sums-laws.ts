import { bySql, type Law } from './law.ts';

/** A payment's success, its attempts and its transfer are one. */
export const ONE_SUCCESS: Law = {
  name: 'one-success-per-payment',
  sentence: 'A payment succeeds at most once, and its money moved exactly as often.',
  parts: [
    bySql(
      'payment',
      `SELECT p.merchant_id, p.payment_id AS id, p.merchant_id || ' ' || p.payment_id || ' is ' || p.status || ' with ' || w.won
         || ' attempts that worked, ' || m.moved || ' moves' AS what
       FROM scope k JOIN payments p ON p.merchant_id = k.merchant_id AND p.payment_id = k.id
       CROSS JOIN LATERAL (SELECT count(*) AS won FROM attempts a WHERE a.merchant_id = p.merchant_id
         AND a.payment_id = p.payment_id AND a.status = 'success') w
       CROSS JOIN LATERAL (SELECT count(*) AS moved FROM transfers t WHERE t.merchant_id = p.merchant_id
         AND t.source_id = p.payment_id AND t.kind = 'move') m
       WHERE w.won > 1 OR (p.status = 'success') <> (m.moved = 1) OR (p.status = 'success' AND w.won <> 1)`,
    ),
  ],
};

/** What is refunded of a payment is the sum of its refunds, and each refund's money is where its state says. */
export const REFUNDS_ADD_UP: Law = {
  name: 'refunds-within-payments',
  sentence:
    'The refunds of a payment are not more than the payment, and the money of each went where its status says, once.',
  parts: [
    bySql(
      'refund',
      `SELECT r.merchant_id, r.refund_id AS id, r.merchant_id || ' ' || p.payment_id || ' of ' || p.amount_pence || ' is '
         || p.status || ' with ' || coalesce(p.refunded_pence, 0) || ' refunded, its refunds are ' || a.pence AS what
       FROM scope k JOIN refunds r ON r.merchant_id = k.merchant_id AND r.refund_id = k.id
       JOIN payments p ON p.merchant_id = r.merchant_id AND p.payment_id = r.payment_id
       CROSS JOIN LATERAL (SELECT coalesce(sum(x.amount_pence), 0) AS pence FROM refunds x
         WHERE x.merchant_id = r.merchant_id AND x.payment_id = r.payment_id AND x.status <> 'failed') a
       WHERE p.status <> 'success' OR a.pence > p.amount_pence OR a.pence <> coalesce(p.refunded_pence, 0)`,
    ),
    bySql(
      'refund',
      `SELECT r.merchant_id, r.refund_id AS id, r.merchant_id || ' ' || r.refund_id || ' of ' || r.amount_pence || ' is '
         || r.status || ', stage ' || coalesce(r.stage, 'none') || ', taken ' || t.taken || ', paid ' || t.paid || ', back '
         || t.back || ', netted ' || l.pence AS what
       FROM scope k JOIN refunds r ON r.merchant_id = k.merchant_id AND r.refund_id = k.id
       CROSS JOIN LATERAL (SELECT coalesce(sum(x.amount_pence) FILTER (WHERE x.kind = 'refund'), 0) AS taken,
           coalesce(sum(x.amount_pence) FILTER (WHERE x.kind = 'refund_out'), 0) AS paid,
           coalesce(sum(x.amount_pence) FILTER (WHERE x.kind IN ('refund_back', 'pay_out_return')), 0) AS back
         FROM transfers x WHERE x.merchant_id = r.merchant_id
           AND (x.source_id = r.refund_id OR x.source_id = r.return_movement_id)) t
       CROSS JOIN LATERAL (SELECT coalesce(sum(x.amount_pence), 0) AS pence FROM refund_lines x
         WHERE x.merchant_id = r.merchant_id AND x.refund_id = r.refund_id) l
       WHERE t.taken <> CASE WHEN r.set_apart_at IS NULL THEN 0 ELSE r.amount_pence END
         OR (r.set_apart_at IS NULL AND (r.stage IS NULL) <> (r.status = 'failed'))
         OR t.paid <> CASE WHEN r.status = 'success' OR r.return_movement_id IS NOT NULL THEN r.amount_pence ELSE 0 END
         OR t.back <> CASE WHEN r.status = 'failed' THEN t.taken ELSE 0 END
         OR l.pence <> t.taken - t.back`,
    ),
  ],
};

/** What a dispute gave back came back to the customer: docs/rules/disputes.md#refunding-one. */
export const DISPUTES_ADD_UP: Law = {
  name: 'disputes-within-payments',
  sentence:
    'A dispute asks for no more than its payment; it is open while its refund waits, and one that ended with money has it from refunds that have not failed, or from the payer’s bank.',
  parts: [
    bySql(
      'dispute',
      `SELECT d.merchant_id, d.dispute_id AS id, d.merchant_id || ' ' || d.dispute_id || ' of ' || d.amount_pence || ' is '
         || d.status || ' with ' || coalesce(d.returned_pence, 0) || ', its payment of ' || p.amount_pence || ' is ' || p.status
         || ' and gave back ' || b.pence || ' since, its refund is ' || coalesce(r.status, 'none') AS what
       FROM scope k JOIN disputes d ON d.merchant_id = k.merchant_id AND d.dispute_id = k.id
       JOIN payments p ON p.merchant_id = d.merchant_id AND p.payment_id = d.payment_id
       LEFT JOIN refunds r ON r.merchant_id = d.merchant_id AND r.refund_id = d.refund_id
       CROSS JOIN LATERAL (SELECT coalesce(p.refunded_pence, 0) + coalesce(p.returned_pence, 0)
         - d.returned_before_pence AS pence) b
       WHERE p.status <> 'success' OR d.amount_pence + d.returned_before_pence > p.amount_pence
         OR d.returned_pence > least(d.amount_pence, b.pence)
         OR d.refunds_before <> '{}' AND d.status IN ('open', 'refunded', 'returned') AND d.returned_before_pence
           > coalesce(p.returned_pence, 0) + (SELECT coalesce(sum(amount_pence) FILTER (WHERE status <> 'failed'), 0) FROM refunds
             WHERE merchant_id = d.merchant_id AND refund_id = ANY (d.refunds_before))
         OR (d.refund_id IS NOT NULL AND (r.status IS NULL OR r.status = 'failed' OR r.payment_id <> d.payment_id
           OR (d.status = 'open') <> (r.stage IS NOT DISTINCT FROM 'wait')))`,
    ),
  ],
};

/** A settlement, its payments, their fees, refunds, what the merchant owed and its transfer are one sum. */
export const SETTLEMENTS_ADD_UP: Law = {
  name: 'settlements-equal-payments',
  sentence:
    'A settlement is the sum of its payments less their fees, its refunds and what the merchant owed, and so is its transfer.',
  parts: [
    bySql(
      'settlement',
      `SELECT s.merchant_id, s.settlement_id AS id, s.merchant_id || ' ' || s.settlement_id || ' is ' || s.amount_pence
         || ', its payments ' || p.pence || ', refunds ' || r.pence || ', fees ' || p.fees || ', owed ' || d.pence
         || ', set apart ' || t.pence AS what
       FROM scope k JOIN settlements s ON s.merchant_id = k.merchant_id AND s.settlement_id = k.id
       CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount_pence), 0) AS pence, coalesce(sum(y.fee_pence), 0) AS fees
         FROM settlement_payments x
         JOIN payments y USING (merchant_id, payment_id)
         WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) p
       CROSS JOIN LATERAL (SELECT coalesce(sum(amount_pence), 0) AS pence FROM transfers z WHERE z.merchant_id = s.merchant_id
         AND z.source_id = s.settlement_id || '-' || s.attempts AND z.kind = 'settle') t
       CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount_pence), 0) AS pence FROM settlement_debts x
         JOIN debts y USING (merchant_id, debt_id)
         WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) d
       CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount_pence), 0) AS pence FROM settlement_refund_lines x
         JOIN refund_lines y USING (merchant_id, refund_id, kind)
         WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) l
       CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount_pence), 0) AS pence FROM came_back_lines y
         WHERE y.merchant_id = s.merchant_id AND (y.settlement_id = s.settlement_id OR s.settlement_id = ANY (y.carried_by))) b
       CROSS JOIN LATERAL (SELECT l.pence - b.pence AS pence OFFSET 0) r
       WHERE s.gross_pence <> p.pence OR s.fees_pence <> p.fees OR s.refunds_pence <> r.pence OR s.carried_pence <> d.pence
         OR s.amount_pence <> t.pence
         OR s.amount_pence <> p.pence - s.refunds_pence - s.fees_pence - d.pence`,
    ),
  ],
};
