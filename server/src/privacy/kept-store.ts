import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import type { CustomerRef } from './store.ts';

/** Up to when a customer `t` is known to have had something with the merchant: an indexed expression. */
export const KEPT_SINCE = 'coalesce(t.kept_since, t.created_at)';

/** Which customers `t` are kept. */
export const IS_KEPT = 't.erased_at IS NULL';

/** Returns customers of whom nothing is known after a moment, the longest ago first, without locking them. */
export function findLongKept(
  tx: Tx,
  until: Temporal.Instant,
  limit: number,
): Promise<CustomerRef[]> {
  return tx.rows<CustomerRef>(
    `SELECT t.merchant_id, t.customer_id FROM customers t WHERE ${IS_KEPT} AND ${KEPT_SINCE} <= $1
     ORDER BY ${KEPT_SINCE} LIMIT $2`,
    [until, limit],
  );
}

/** When a customer last had something with the merchant; `isOpen`: a schedule of theirs is not cancelled. */
export interface Relationship extends CustomerRef {
  isOpen: boolean;
  endedAt: Temporal.Instant;
}

/** Returns the end of each relationship: of its last schedule, payment, refund and dispute. */
export function findEnds(tx: Tx, customers: readonly CustomerRef[]): Promise<Relationship[]> {
  return tx.rows<Relationship>(
    `SELECT t.merchant_id, t.customer_id, coalesce(s.is_open, false) AS is_open,
       greatest(t.created_at, s.ended_at, p.ended_at) AS ended_at
     FROM unnest($1::text[], $2::text[]) AS k (merchant_id, customer_id)
     JOIN customers t ON t.merchant_id = k.merchant_id AND t.customer_id = k.customer_id AND ${IS_KEPT}
     CROSS JOIN LATERAL (SELECT bool_or(o.status <> 'cancelled') AS is_open, max(o.updated_at) AS ended_at
       FROM schedules o WHERE o.merchant_id = k.merchant_id AND o.customer_id = k.customer_id) s
     CROSS JOIN LATERAL (SELECT max(greatest(o.created_at, o.completed_at, o.failed_at, o.returned_at,
         r.completed_at, r.failed_at, d.ended_at)) AS ended_at
       FROM schedules c JOIN payments o ON o.merchant_id = c.merchant_id AND o.schedule_id = c.schedule_id
       LEFT JOIN refunds r ON r.merchant_id = o.merchant_id AND r.payment_id = o.payment_id
       LEFT JOIN disputes d ON d.merchant_id = o.merchant_id AND d.payment_id = o.payment_id
       WHERE c.merchant_id = k.merchant_id AND c.customer_id = k.customer_id) p`,
    columns(customers, 'merchantId', 'customerId'),
  );
}

/** Notes up to when customers are known to have had something with their merchants. */
export async function setKeptSince(
  tx: Tx,
  customers: readonly (CustomerRef & { since: Temporal.Instant })[],
): Promise<void> {
  await tx.run(
    `UPDATE customers t SET kept_since = k.since
     FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS k (merchant_id, customer_id, since)
     WHERE t.merchant_id = k.merchant_id AND t.customer_id = k.customer_id`,
    columns(customers, 'merchantId', 'customerId', 'since'),
  );
}
