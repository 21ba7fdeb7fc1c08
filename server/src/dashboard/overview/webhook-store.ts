import type { Tx } from '../../platform/db/db.ts';

/** Returns the number of enabled endpoints. */
export async function countEndpoints(tx: Tx, merchantId: string): Promise<number> {
  const row = await tx.row<{ endpoints: number }>(
    `SELECT count(*) AS endpoints FROM webhook_endpoints WHERE merchant_id = $1 AND status = 'enabled'`,
    [merchantId],
  );
  return row?.endpoints ?? 0;
}

export interface EndpointInTrouble {
  endpointId: string;
  url: string;
  status: string;
  undelivered: number;
  lastError: string | null;
}

/**
 * Returns disabled endpoints with events waiting, and endpoints with a delivery that failed since `failedSince`, or is retried
 * and was made by `retriedSince`; each with how many of its events are not acknowledged, without younger ones, and the last
 * error of the newest.
 */
export function findInTrouble(
  tx: Tx,
  merchantId: string,
  since: { failedSince: Temporal.Instant; retriedSince: Temporal.Instant },
): Promise<EndpointInTrouble[]> {
  return tx.rows<EndpointInTrouble>(
    `SELECT w.endpoint_id, w.url, w.status, u.undelivered, l.error AS last_error
     FROM (SELECT endpoint_id, count(*) AS undelivered, bool_or(status = 'held') AS holds,
                  bool_or((status = 'failed' AND finished_at >= $2) OR (status = 'pending' AND failures > 0)) AS fails
           FROM undelivered_deliveries WHERE merchant_id = $1 AND (status <> 'pending' OR created_at <= $3)
           GROUP BY endpoint_id) u
     JOIN webhook_endpoints w ON w.merchant_id = $1 AND w.endpoint_id = u.endpoint_id
     LEFT JOIN LATERAL (
       SELECT d.delivery_id, d.attempts FROM undelivered_deliveries d
       WHERE d.merchant_id = $1 AND d.endpoint_id = u.endpoint_id AND d.attempts > 0
       ORDER BY d.event_id DESC LIMIT 1) n ON true
     LEFT JOIN delivery_attempts l -- an attempt without a row here was acknowledged
       ON l.merchant_id = $1 AND l.delivery_id = n.delivery_id AND l.number = n.attempts
     WHERE w.status <> 'deleted' AND (u.fails OR (w.status = 'disabled' AND u.holds))
     ORDER BY w.endpoint_id`,
    [merchantId, since.failedSince, since.retriedSince],
  );
}
