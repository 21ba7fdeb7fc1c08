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

/** A settlement, its payments, what the merchant owed and its transfer are one sum. */
export const SETTLEMENTS_ADD_UP: Law = {
  name: 'settlements-equal-payments',
  sentence:
    'A settlement is the sum of its payments less what the merchant owed, and so is its transfer.',
  parts: [
    bySql(
      'settlement',
      `SELECT s.merchant_id, s.settlement_id AS id, s.merchant_id || ' ' || s.settlement_id || ' is ' || s.amount_pence
         || ', its payments ' || p.pence || ', owed ' || d.pence || ', set apart ' || t.pence AS what
       FROM scope k JOIN settlements s ON s.merchant_id = k.merchant_id AND s.settlement_id = k.id
       CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount_pence), 0) AS pence FROM settlement_payments x
         JOIN payments y USING (merchant_id, payment_id)
         WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) p
       CROSS JOIN LATERAL (SELECT coalesce(sum(amount_pence), 0) AS pence FROM transfers z WHERE z.merchant_id = s.merchant_id
         AND z.source_id = s.settlement_id || '-' || s.attempts AND z.kind = 'settle') t
       CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount_pence), 0) AS pence FROM settlement_debts x
         JOIN debts y USING (merchant_id, debt_id)
         WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) d
       WHERE s.gross_pence <> p.pence OR s.carried_pence <> d.pence OR s.amount_pence <> t.pence
         OR s.amount_pence <> p.pence - s.refunds_pence - s.fees_pence - d.pence`,
    ),
  ],
};
