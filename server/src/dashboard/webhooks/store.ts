import type { Tx } from '../../platform/db/db.ts';
import type { DeliveryStatus } from '../../webhooks/delivery.ts';

/** Events that are looked at, at most: a merchant with more of them has enough to go by. */
const LOOKED_AT = 2_000;

/** The deliveries of the merchant's newest events since $2: by keys, however many there were before. */
const NEWEST = `(SELECT event_id, kind, created_at FROM events WHERE merchant_id = $1 AND created_at >= $2
      ORDER BY created_at DESC, event_id DESC LIMIT ${LOOKED_AT}) v
     JOIN deliveries d ON d.merchant_id = $1 AND d.event_id = v.event_id`;

export interface HealthRow {
  endpointId: string;
  attempts: number;
  acknowledged: number;
  lastAcknowledgedAt: Temporal.Instant | null;
  medianMs: number | null;
}

/** Returns how each of these endpoints answered since `since`; those that nothing was sent to are absent. */
export function readHealth(
  tx: Tx,
  merchantId: string,
  endpointIds: readonly string[],
  since: Temporal.Instant,
): Promise<HealthRow[]> {
  return tx.rows<HealthRow>(
    `SELECT d.endpoint_id, sum(d.attempts)::int AS attempts,
       (count(*) FILTER (WHERE d.status = 'delivered'))::int AS acknowledged,
       max(d.finished_at) FILTER (WHERE d.status = 'delivered') AS last_acknowledged_at,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY d.first_duration_ms) AS median_ms
     FROM ${NEWEST}
     WHERE d.endpoint_id = ANY ($3::text[]) AND d.attempts > 0
     GROUP BY d.endpoint_id`,
    [merchantId, since, endpointIds],
  );
}

export interface RecentRow {
  eventId: string;
  kind: string;
  createdAt: Temporal.Instant;
  status: DeliveryStatus;
  attempts: number;
  error: string | null;
}

/** Returns up to `most` deliveries of an endpoint since `since`, newest first. */
export function readRecent(
  tx: Tx,
  merchantId: string,
  endpointId: string,
  since: Temporal.Instant,
  most: number,
): Promise<RecentRow[]> {
  return tx.rows<RecentRow>(
    `SELECT v.event_id, v.kind, v.created_at, d.status, d.attempts, l.error
     FROM ${NEWEST}
     LEFT JOIN delivery_attempts l -- an attempt without a row here was acknowledged
       ON l.merchant_id = $1 AND l.delivery_id = d.delivery_id AND l.number = d.attempts
     WHERE d.endpoint_id = $3
     ORDER BY v.created_at DESC, v.event_id DESC LIMIT $4`,
    [merchantId, since, endpointId, most],
  );
}
