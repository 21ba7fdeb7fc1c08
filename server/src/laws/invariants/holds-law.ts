import { HOLDS_OF_PAY_OUTS } from '../../merchants/holds/hold.ts';
import { bySql, type Law } from './law.ts';

/** Whether an order's place in the sequence lies within a hold of the table `h`. */
const within = (order: string): string =>
  `${order} > h.sequence AND (h.end_sequence IS NULL OR ${order} < h.end_sequence)`;

/** Holds and orders have their places in one sequence, both taken under the lock of holds. */
export const NOTHING_WHILE_HELD: Law = {
  name: 'nothing-while-held',
  sentence:
    'No payment order was sent while its merchant was suspended or its bank stopped, no pay-out ordered while it was held.',
  parts: [
    bySql(
      'payment',
      `SELECT p.merchant_id, p.payment_id AS id,
         p.merchant_id || ' ' || p.payment_id || ' attempt ' || o.attempt || ', order ' || o.call || ' while '
           || held.what AS what
       FROM scope k JOIN payments p ON p.merchant_id = k.merchant_id AND p.payment_id = k.id
       JOIN payment_orders o ON o.merchant_id = p.merchant_id AND o.payment_id = p.payment_id AND o.taken_back_at IS NULL
       JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id AND a.number = o.attempt
       LEFT JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = a.consent_id
       CROSS JOIN LATERAL (
         SELECT 'its merchant was suspended' AS what FROM merchant_holds h
         WHERE h.merchant_id = p.merchant_id AND h.kind = 'suspended' AND ${within('o.sequence')}
         UNION ALL
         SELECT 'its bank was stopped' FROM bank_stops h WHERE h.bank_id = coalesce(c.bank_id, p.bank_id)
           AND ${within('o.sequence')}) held`,
    ),
    bySql(
      'settlement',
      `SELECT s.merchant_id, s.settlement_id AS id,
         s.merchant_id || ' ' || s.settlement_id || ' was ordered at ' || s.ordered_at AS what
       FROM scope k JOIN merchant_holds h ON h.merchant_id = k.merchant_id AND h.kind = ANY ('{${HOLDS_OF_PAY_OUTS.join(',')}}')
       JOIN settlements s ON s.merchant_id = k.merchant_id AND s.settlement_id = k.id AND ${within('s.order_sequence')}`,
    ),
  ],
};
