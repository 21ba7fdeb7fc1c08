import { bySql, type Law } from './law.ts';

/** What a dispute gave back came back to the customer: docs/rules/disputes.md#refunding-one. */
export const DISPUTES_ADD_UP: Law = {
  name: 'disputes-within-payments',
  sentence:
    'A dispute asks for no more than its payment, and one that ended with money has it from refunds that have not failed, or from the payer’s bank.',
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
         OR (d.refund_id IS NOT NULL AND (r.status IS NULL OR r.status = 'failed' OR r.payment_id <> d.payment_id))`,
    ),
  ],
};
