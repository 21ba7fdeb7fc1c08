import type { Tx } from '../platform/db/db.ts';
import type { Cursor } from './delivery-store.ts';
import type { EndpointStatus } from './endpoint.ts';
import { holdDeliveries, resumeDeliveries } from './state-store.ts';

/**
 * How many deliveries are put aside, or taken up again, at most under one lock of their endpoint: transactions that append an
 * event of its merchant wait for that lock.
 */
export const MAX_HELD_PER_RUN = 1_000;

/**
 * Puts aside up to `limit` of an endpoint's waiting deliveries, and makes the endpoint due at once if some are left. The
 * caller has locked the endpoint, which is not enabled, so no new ones arrive. Returns how many it put aside.
 */
export async function holdUndelivered(
  tx: Tx,
  now: Temporal.Instant,
  endpoint: Cursor,
  limit: number,
): Promise<number> {
  const count = await holdDeliveries(tx, endpoint, limit);
  await setDueIfLeft(tx, now, endpoint, 'due_at IS NOT NULL');
  return count;
}

/**
 * Makes up to `limit` of an endpoint's held retries due, and makes the endpoint due at once if some are left. The caller has
 * locked the endpoint, which is enabled, so no new ones are held. Returns how many it took up.
 */
export async function resumeHeld(
  tx: Tx,
  now: Temporal.Instant,
  endpoint: Cursor,
  limit: number,
): Promise<number> {
  const count = await resumeDeliveries(tx, now, endpoint, limit);
  await setDueIfLeft(tx, now, endpoint, "status = 'held' AND attempts > 0");
  return count;
}

/**
 * Makes an endpoint due at once if some deliveries are left. Queried instead of derived from a count: a delivery that was being
 * claimed or recorded may have been skipped.
 */
async function setDueIfLeft(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, endpointId }: Cursor,
  left: string,
): Promise<void> {
  await tx.run(
    `UPDATE webhook_endpoints SET due_at = CASE WHEN EXISTS (
       SELECT FROM deliveries WHERE merchant_id = $1 AND endpoint_id = $2 AND ${left}) THEN $3::timestamptz END
     WHERE merchant_id = $1 AND endpoint_id = $2`,
    [merchantId, endpointId, now],
  );
}

/** Locks and returns the endpoint that has waited longest for its next step; null: there is no unlocked one. */
export function holdNextInSteps(
  tx: Tx,
  now: Temporal.Instant,
): Promise<(Cursor & { status: EndpointStatus }) | null> {
  return tx.row(
    `SELECT merchant_id, endpoint_id, status FROM webhook_endpoints WHERE due_at <= $1
     ORDER BY due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    [now],
  );
}
