import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Facts } from '../payment/payment.ts';

/** The columns of a `RecordedRow` without `manual`, for a payment `p`. */
export const RECORDED = `p.merchant_id, p.payment_id, p.schedule_id, p.wallet_id, p.amount_pence, p.currency,
  p.attempts AS attempt`;

/** The columns of `Facts`, for a payment `t`. */
export const FACTS =
  't.merchant_id, t.payment_id, t.schedule_id, t.consent_id, t.amount_pence, t.due_date';

/** Returns the facts of payments under way. */
export function findFacts(
  tx: Tx,
  keys: readonly Pick<Facts, 'merchantId' | 'paymentId'>[],
): Promise<Facts[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return tx.rows<Facts>(
    `SELECT ${FACTS} FROM unnest($1::text[], $2::text[]) AS n (merchant_id, payment_id)
     CROSS JOIN LATERAL (SELECT merchant_id, payment_id, schedule_id, consent_id, amount_pence, due_date FROM payments
       WHERE merchant_id = n.merchant_id AND payment_id = n.payment_id OFFSET 0) t`,
    columns(keys, 'merchantId', 'paymentId'),
  );
}
