import { bySql, type Law } from './law.ts';

/** A success took the fee of the terms then in force, in its row and in the ledger. */
const FEES_AS_SET: Law = {
  name: 'fees-as-set',
  sentence:
    'The fee of a success is that of the terms in force, and was booked once; nothing else has a fee.',
  parts: [
    bySql(
      'payment',
      `SELECT p.merchant_id, p.payment_id AS id, p.merchant_id || ' ' || p.payment_id || ' of ' || p.amount_pence || ' is '
         || p.status || ' with a fee of ' || coalesce(p.fee_pence, 0) || ', the terms say ' || e.pence || ', booked are '
         || b.pence AS what
       FROM scope k JOIN payments p ON p.merchant_id = k.merchant_id AND p.payment_id = k.id
       CROSS JOIN LATERAL (SELECT coalesce(sum(least(p.amount_pence,
           f.fixed_pence + (p.amount_pence * f.basis_points + 5000) / 10000)), 0) AS pence
         FROM (SELECT fixed_pence, basis_points FROM merchant_fees m WHERE m.merchant_id = p.merchant_id
           AND p.status = 'success' AND m.from_at <= p.completed_at ORDER BY m.from_at DESC LIMIT 1) f) e
       CROSS JOIN LATERAL (SELECT coalesce(sum(t.amount_pence), 0) AS pence FROM transfers t
         WHERE t.merchant_id = p.merchant_id AND t.source_id = p.payment_id AND t.kind = 'fee') b
       WHERE coalesce(p.fee_pence, 0) <> e.pence OR b.pence <> e.pence`,
    ),
  ],
};

/** Fees are in the ledger until their settlement transfers them, once. */
const FEES_ARE_TRANSFERRED: Law = {
  name: 'fees-have-a-place',
  sentence:
    'The fees in the ledger are those not settled yet and those under way; a settlement transfers those of its new payments, once.',
  parts: [
    bySql(
      'account',
      `SELECT a.merchant_id, a.account_id AS id, a.merchant_id || ' has fees of ' || a.balance_pence || ', not settled are '
         || n.pence || ', under way ' || u.pence AS what
       FROM scope k JOIN accounts a ON a.merchant_id = k.merchant_id AND a.account_id = k.id AND a.kind = 'fees'
       CROSS JOIN LATERAL (SELECT coalesce(sum(p.fee_pence), 0) AS pence FROM to_settle s
         CROSS JOIN LATERAL (SELECT fee_pence FROM payments
           WHERE merchant_id = s.merchant_id AND payment_id = s.payment_id OFFSET 0) p
         WHERE s.merchant_id = a.merchant_id AND EXISTS (SELECT 1 FROM merchant_fees m WHERE m.merchant_id = a.merchant_id)
           AND NOT EXISTS (SELECT 1 FROM carried_payments c
             WHERE c.merchant_id = s.merchant_id AND c.payment_id = s.payment_id)) n
       CROSS JOIN LATERAL (SELECT coalesce(sum(f.fees_pence - coalesce(f.taken_pence, 0)), 0) AS pence
         FROM fee_transfers f WHERE f.merchant_id = a.merchant_id) u
       WHERE a.balance_pence <> n.pence + u.pence`,
    ),
    bySql(
      'settlement',
      `SELECT f.merchant_id, f.settlement_id AS id, f.merchant_id || ' ' || f.settlement_id || ' has new fees of ' || p.pence
         || ', to be transferred are ' || f.fees_pence || ', taken ' || coalesce(f.taken_pence, 0) || ', booked ' || b.pence
         AS what
       FROM scope k JOIN fee_transfers f ON f.merchant_id = k.merchant_id AND f.settlement_id = k.id
       JOIN settlements s ON s.merchant_id = f.merchant_id AND s.settlement_id = f.settlement_id
       CROSS JOIN LATERAL (SELECT coalesce(sum(y.fee_pence), 0) AS pence FROM settlement_payments x
         CROSS JOIN LATERAL (SELECT fee_pence FROM payments
           WHERE merchant_id = x.merchant_id AND payment_id = x.payment_id OFFSET 0) y
         WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id
           AND NOT EXISTS (SELECT 1 FROM carried_payments c
             CROSS JOIN LATERAL (SELECT settle_date FROM settlements
               WHERE merchant_id = c.merchant_id AND settlement_id = c.settlement_id OFFSET 0) o
             WHERE c.merchant_id = x.merchant_id AND c.payment_id = x.payment_id AND o.settle_date < s.settle_date)) p
       CROSS JOIN LATERAL (SELECT coalesce(sum(t.amount_pence), 0) AS pence FROM transfers t
         WHERE t.merchant_id = s.merchant_id AND t.source_id = s.settlement_id AND t.kind = 'fee_out') b
       WHERE p.pence <> f.fees_pence OR b.pence <> coalesce(f.taken_pence, 0)`,
    ),
  ],
};

/** The laws of fees. */
export const FEES: readonly Law[] = [FEES_AS_SET, FEES_ARE_TRANSFERRED];
