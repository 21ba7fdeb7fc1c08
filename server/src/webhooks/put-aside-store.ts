import type { Tx } from '../platform/db.ts';
import type { Cursor } from './delivery-store.ts';
import { holdDeliveries } from './state-store.ts';

/**
 * The most deliveries that are put aside under one hold of their endpoint's lock: whoever routes events waits for it, and
 * with them the events of all merchants.
 */
export const MOST_PUT_ASIDE = 1_000;

/**
 * Puts up to `limit` of an endpoint's waiting deliveries aside, and has the endpoint fall due at once for those that are
 * left. The caller holds the endpoint, which is not enabled: nothing new comes to wait for it. Answers how many it put aside.
 */
export async function putAside(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, endpointId }: Cursor,
  limit: number,
): Promise<number> {
  const count = await holdDeliveries(tx, { merchantId, endpointId }, limit);
  // Asked again instead of told by the count: one that was just being claimed or recorded may have been passed over.
  await tx.run(
    `UPDATE webhook_endpoints SET due_at = CASE WHEN EXISTS (
       SELECT FROM deliveries WHERE merchant_id = $1 AND endpoint_id = $2 AND due_at IS NOT NULL) THEN $3::timestamptz END
     WHERE merchant_id = $1 AND endpoint_id = $2`,
    [merchantId, endpointId, now],
  );
  return count;
}

/** The endpoint that has waited longest for more to be put aside, locked; null: there is none that nobody holds. */
export async function holdNextToPutAside(tx: Tx, now: Temporal.Instant): Promise<Cursor | null> {
  const row = await tx.row<{ merchant_id: string; endpoint_id: string }>(
    `SELECT merchant_id, endpoint_id FROM webhook_endpoints WHERE due_at <= $1
     ORDER BY due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    [now],
  );
  return row === null ? null : { merchantId: row.merchant_id, endpointId: row.endpoint_id };
}
