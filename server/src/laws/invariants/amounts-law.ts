import { opaque } from '../../platform/values/opaque.ts';
import { bySql, type Law } from './law.ts';

/**
 * What the merchant set for an occurrence before it fell due is what its payment takes, else what the terms say that it names
 * (docs/rules/schedules.md), unless less money came and was accepted in part
 * (docs/rules/wallets-and-money.md#unallocated-money). One opened before payments named their terms is compared with what was set
 * alone.
 */
export const AS_SET: Law = {
  name: 'collected-as-set',
  sentence:
    'An occurrence takes the amount of its terms or what was set for it, or what was accepted in part, and one that was skipped has no payment.',
  parts: [
    bySql(
      'payment',
      `SELECT p.merchant_id, p.payment_id AS id, p.merchant_id || ' ' || p.payment_id || ' takes ' || p.amount_pence
         || coalesce(', not ' || w.pence, ' though it was skipped') AS what
       FROM scope k JOIN payments p ON p.merchant_id = k.merchant_id AND p.payment_id = k.id
       LEFT JOIN LATERAL (SELECT true AS is_set, amount_pence FROM occurrence_changes WHERE merchant_id = p.merchant_id
         AND schedule_id = p.schedule_id AND due_date = p.due_date OFFSET 0) o ON true
       LEFT JOIN LATERAL (SELECT amount_pence, amount_mode FROM schedule_terms WHERE merchant_id = p.merchant_id
         AND schedule_id = p.schedule_id AND version = p.terms_version OFFSET 0) t ON true
       CROSS JOIN LATERAL (SELECT CASE WHEN o.is_set THEN o.amount_pence WHEN t.amount_mode = 'fixed' THEN t.amount_pence END
         AS pence) w
       WHERE ${opaque('p.ad_hoc IS NULL')} AND (o.is_set OR t.amount_mode IS NOT NULL)
         AND w.pence IS DISTINCT FROM p.amount_pence
         AND NOT (p.amount_pence < w.pence AND EXISTS (SELECT FROM unallocated_items i
           WHERE i.merchant_id = p.merchant_id AND i.payment_id = p.payment_id
             AND i.status = 'accepted_in_part' AND i.amount_pence = p.amount_pence))`,
    ),
  ],
};
