import { opaque } from '../platform/opaque.ts';
import { bySql, type Law } from './law.ts';

/**
 * What the merchant set for an occurrence before it fell due is what its payment takes (docs/rules/schedules.md), unless less
 * money came and was accepted in part (docs/rules/wallets-and-money.md#unallocated-money).
 */
export const AS_SET: Law = {
  name: 'collected-as-set',
  sentence:
    'An occurrence takes the amount that was set for it, or what was accepted in part, and one that was skipped has no payment.',
  parts: [
    bySql(
      'payment',
      `SELECT p.merchant_id, p.payment_id AS id, p.merchant_id || ' ' || p.payment_id || ' takes ' || p.amount_pence
         || coalesce(', not ' || o.amount_pence, ' though it was skipped') AS what
       FROM scope k JOIN payments p ON p.merchant_id = k.merchant_id AND p.payment_id = k.id
       JOIN occurrence_changes o ON o.merchant_id = p.merchant_id AND o.schedule_id = p.schedule_id AND o.due_date = p.due_date
       WHERE ${opaque('p.ad_hoc IS NULL')} AND o.amount_pence IS DISTINCT FROM p.amount_pence
         AND NOT (p.amount_pence < o.amount_pence AND EXISTS (SELECT FROM unallocated_items i
           WHERE i.merchant_id = p.merchant_id AND i.payment_id = p.payment_id
             AND i.status = 'accepted_in_part' AND i.amount_pence = p.amount_pence))`,
    ),
  ],
};
