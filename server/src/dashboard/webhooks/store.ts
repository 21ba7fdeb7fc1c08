import type { Tx } from '../../platform/db/db.ts';
import { firstId } from '../../platform/values/ids.ts';
import type { DeliveryStatus } from '../../webhooks/delivery.ts';

/** Deliveries of an endpoint that are looked at, at most: one with more of them has enough to go by. */
const LOOKED_AT = 2_000;

/**
 * The newest deliveries to an endpoint of events since $2. The ids of events are in the order of time, and other endpoints'
 * deliveries are passed over in the index, so that one that hears little shows all it heard.
 */
const newestOf = (endpoint: string, most: string): string => `(SELECT * FROM deliveries
       WHERE merchant_id = $1 AND event_id >= $2 AND endpoint_id = ${endpoint} ORDER BY event_id DESC LIMIT ${most})`;

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
     FROM unnest($3::text[]) AS k (endpoint_id)
     CROSS JOIN LATERAL ${newestOf('k.endpoint_id', String(LOOKED_AT))} d
     WHERE d.attempts > 0
     GROUP BY d.endpoint_id`,
    [merchantId, firstId('evt', since), endpointIds],
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
     FROM ${newestOf('$3', '$4')} d
     JOIN events v ON v.merchant_id = $1 AND v.event_id = d.event_id
     LEFT JOIN delivery_attempts l -- an attempt without a row here was acknowledged
       ON l.merchant_id = $1 AND l.delivery_id = d.delivery_id AND l.number = d.attempts
     ORDER BY d.event_id DESC`,
    [merchantId, firstId('evt', since), endpointId, most],
  );
}
