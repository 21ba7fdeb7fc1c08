import type { Tx } from '../platform/db/db.ts';

export interface Pulse {
  version: string;
  requestsVersion: string;
  nextDueAt: Temporal.Instant | null;
  nextRetryAt: Temporal.Instant | null;
}

/**
 * A version of what a page shows, from the latest writes: of append-only tables the newest entry, read from an index; of rows
 * that are updated in place (a merchant has few) their row versions. While the sandbox's clock is stopped, many entries can share
 * one moment, so those are counted. Events are passed to their endpoints in order: if the newest has its deliveries, all have.
 */
const PULSE = `
WITH newest AS (
  SELECT (SELECT max(change_id) FROM state_changes WHERE merchant_id = $1) AS change_id,
    (SELECT max(created_at) FROM events WHERE merchant_id = $1) AS event_at,
    (SELECT event_id FROM events WHERE merchant_id = $1 ORDER BY created_at DESC, event_id DESC LIMIT 1) AS event_id,
    greatest((SELECT max(first_at) FROM deliveries WHERE merchant_id = $1),
      (SELECT max(at) FROM delivery_attempts WHERE merchant_id = $1)) AS attempt_at
)
SELECT md5(json_build_array(change_id, event_at,
    (SELECT array_agg(xmin::text) FROM (
       SELECT xmin FROM schedules WHERE merchant_id = $1 ORDER BY updated_at DESC LIMIT 10) updated),
    (SELECT count(*) FROM events WHERE merchant_id = $1 AND created_at = event_at),
    (SELECT array_agg(xmin::text) FROM deliveries WHERE merchant_id = $1 AND event_id = newest.event_id), attempt_at,
    (SELECT count(*) FROM all_delivery_attempts WHERE merchant_id = $1 AND at = attempt_at),
    (SELECT array_agg(xmin::text) FROM webhook_endpoints WHERE merchant_id = $1),
    (SELECT array_agg(xmin::text) FROM api_keys WHERE merchant_id = $1),
    (SELECT array_agg(xmin::text) FROM wallets WHERE merchant_id = $1 AND customer_id IS NULL),
    (SELECT xmin::text FROM merchants WHERE merchant_id = $1),
    (SELECT max(checked_at) FROM law_findings))::text) AS version,
  md5((SELECT coalesce(json_agg(request_id), '[]') FROM (
    SELECT request_id FROM request_log WHERE merchant_id = $1 ORDER BY at DESC, request_id DESC LIMIT 10) logged)::text)
    AS requests_version,
  (SELECT min(due_at) FROM schedule_agenda WHERE merchant_id = $1 AND due_at IS NOT NULL) AS next_due_at,
  (SELECT min(next_retry_at) FROM payments WHERE merchant_id = $1 AND next_retry_at IS NOT NULL) AS next_retry_at
FROM newest`;

/** Returns a version that changes when a page of the merchant would show something else, and when the next collection is due. */
export async function readPulse(tx: Tx, merchantId: string): Promise<Pulse> {
  const row = await tx.row<Pulse>(PULSE, [merchantId]);
  if (row === null) throw new Error('one row always comes back');
  return row;
}
