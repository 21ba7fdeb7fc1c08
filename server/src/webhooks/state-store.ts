import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import { THIS_PROCESS } from '../platform/engine/this-process.ts';
import { isIn, stateOf, stateWhen } from '../platform/state/move-statement.ts';
import { transition } from '../platform/state/state-machine.ts';
import { oneOf } from '../platform/values/one-of.ts';
import { opaque } from '../platform/values/opaque.ts';
import { DELIVERIES, type DeliveryStatus } from './delivery.ts';

/**
 * The state changes of deliveries; nothing else writes a delivery's status. A first attempt that was acknowledged is in the
 * delivery's row, every other one in `delivery_attempts`; `all_delivery_attempts` shows both.
 */

const ANY_STATUS: readonly DeliveryStatus[] = ['pending', 'held', 'failed', 'delivered'];
const DELIVERED = transition(DELIVERIES, ANY_STATUS, 'delivered');
const FAILED = transition(DELIVERIES, ['pending'], 'failed');
const HELD = transition(DELIVERIES, ['pending'], 'held');
const RESUMED = transition(DELIVERIES, ['held'], 'pending');
const SET_OFF = transition(DELIVERIES, ANY_STATUS, 'pending');

/**
 * A delivery to create. Pending ones are due when their event occurred, so they are started in that order; those that are handed
 * on at once, at the end of their lease.
 */
export interface NewDelivery {
  merchantId: string;
  deliveryId: string;
  eventId: string;
  endpointId: string;
  status: 'pending' | 'held';
  dueAt: Temporal.Instant | null;
}

/** Inserts deliveries of new events. */
export async function insertDeliveries(
  tx: Tx,
  now: Temporal.Instant,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await tx.run(
    `INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, due_at, created_at, claimed_by)
     SELECT n.*, $7::timestamptz, ${THIS_PROCESS}
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[]) AS n
     RETURNING 1`,
    [
      ...columns(
        deliveries,
        'merchantId',
        'deliveryId',
        'eventId',
        'endpointId',
        'status',
        'dueAt',
      ),
      now,
    ],
  );
}

/** An event to be sent to an endpoint, perhaps again. */
export interface DeliveryToSend {
  deliveryId: string;
  eventId: string;
  endpointId: string;
}

/** Makes deliveries due now, on a new retry ladder; creates missing ones. */
export async function requeue(
  tx: Tx,
  merchantId: string,
  now: Temporal.Instant,
  deliveries: readonly DeliveryToSend[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await tx.run(
    `INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, due_at, created_at)
     SELECT $1, n.delivery_id, n.event_id, n.endpoint_id, 'pending', $2::timestamptz, $2::timestamptz
     FROM unnest($3::text[], $4::text[], $5::text[]) AS n (delivery_id, event_id, endpoint_id)
     ON CONFLICT (merchant_id, event_id, endpoint_id)
     DO UPDATE SET ${stateOf(SET_OFF)}, due_at = excluded.due_at, failures = 0, finished_at = NULL`,
    [merchantId, now, ...columns(deliveries, 'deliveryId', 'eventId', 'endpointId')],
  );
}

/** Puts aside up to `limit` of an endpoint's waiting deliveries, in order; returns how many. */
export function holdDeliveries(
  tx: Tx,
  { merchantId, endpointId }: { merchantId: string; endpointId: string },
  limit: number,
): Promise<number> {
  const some = `SELECT ctid FROM deliveries WHERE merchant_id = $1 AND endpoint_id = $2 AND due_at IS NOT NULL
    ORDER BY due_at, event_id LIMIT $3`;
  return tx.run(
    `UPDATE deliveries t SET ${stateOf(HELD)}, due_at = NULL
     WHERE ${opaque(isIn(DELIVERIES, HELD.from, 't'))} AND t.${oneOf(some)}`,
    [merchantId, endpointId, limit],
  );
}

/**
 * Makes up to `limit` of an endpoint's held deliveries due that were tried before they were held, in event order; their retry
 * ladders continue. Returns how many.
 */
export async function resumeDeliveries(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, endpointId }: { merchantId: string; endpointId: string },
  limit: number,
): Promise<number> {
  const some = `SELECT ctid FROM deliveries WHERE merchant_id = $1 AND endpoint_id = $2 AND status = 'held' AND attempts > 0
    ORDER BY event_id LIMIT $3`;
  return tx.run(
    `UPDATE deliveries t SET ${stateOf(RESUMED)}, due_at = $4
     WHERE ${opaque(isIn(DELIVERIES, RESUMED.from, 't'))} AND t.${oneOf(some)}`,
    [merchantId, endpointId, limit, now],
  );
}

/** The result of one request, and what it means for its delivery. */
export interface SendingResult {
  merchantId: string;
  deliveryId: string;
  /** The lease under which it was sent; if the delivery has another one now, it was changed meanwhile. */
  lease: Temporal.Instant;
  manual: boolean;
  acknowledged: boolean;
  /** When it is retried after a failure; null: not again. */
  nextTry: Temporal.Instant | null;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
  /** Business time at the end of the request. */
  at: Temporal.Instant;
}

/** A longer response is kept out of the delivery's row, because a resend would write it again. */
const MAX_BYTES_IN_ROW = 256;
/** Writes a first attempt that fits into the delivery's row. */
const FIRST_ATTEMPT = ['at', 'response_status', 'response_body', 'duration_ms']
  .map((c) => `first_${c} = CASE WHEN d.attempts = 0 AND r.fits THEN r.${c} ELSE d.first_${c} END`)
  .join(', ');

/** `$12` is now: what is due later is being sent, or waits for a retry. */
const COUNTS =
  'r.acknowledged AND (d.due_at = r.lease OR d.due_at IS NULL OR d.due_at > $12 OR d.failures > 0)';

/**
 * Records attempts, each of a different delivery, in one statement. The attempt is always recorded. The delivery changes only
 * if it is still under the attempt's lease; but an acknowledgement also counts for one that was put aside meanwhile (held or
 * failed), or is being sent or retried by another process. It does not count for one that was set off again by hand and is still
 * to be sent: that one is sent, as requested.
 */
export async function recordResults(
  tx: Tx,
  now: Temporal.Instant,
  results: readonly SendingResult[],
): Promise<void> {
  await tx.run(
    `WITH result AS (
       SELECT *, acknowledged AND coalesce(octet_length(response_body) <= ${MAX_BYTES_IN_ROW}, false) AS fits
       FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::boolean[], $5::boolean[], $6::timestamptz[],
                   $7::int[], $8::text[], $9::text[], $10::int[], $11::timestamptz[])
         AS r (merchant_id, delivery_id, lease, manual, acknowledged, next_try,
               response_status, response_body, error, duration_ms, at)
     ), changed AS (
       UPDATE deliveries d SET
         attempts = d.attempts + 1,
         failures = d.failures + CASE WHEN d.due_at = r.lease AND NOT r.acknowledged THEN 1 ELSE 0 END,
         ${stateWhen('d', [
           [COUNTS, DELIVERED],
           ['d.due_at = r.lease AND r.next_try IS NULL', FAILED],
         ])},
         due_at = CASE WHEN ${COUNTS} THEN NULL
                       WHEN d.due_at = r.lease THEN r.next_try
                       ELSE d.due_at END,
         finished_at = CASE WHEN ${COUNTS} THEN r.at
                            WHEN d.due_at = r.lease AND r.next_try IS NULL THEN r.at
                            ELSE d.finished_at END,
         ${FIRST_ATTEMPT}
       FROM result r WHERE d.merchant_id = r.merchant_id AND d.delivery_id = r.delivery_id
       RETURNING d.merchant_id, d.delivery_id, d.attempts, r.manual, r.response_status, r.response_body, r.error,
         r.duration_ms, r.at, d.attempts = 1 AND r.fits AS is_in_row
     ), kept_apart AS (
       INSERT INTO delivery_attempts (merchant_id, delivery_id, number, manual, response_status, response_body, error,
         duration_ms, at)
       SELECT merchant_id, delivery_id, attempts, manual, response_status, response_body, error, duration_ms, at
       FROM changed WHERE NOT is_in_row RETURNING 1
     )
     SELECT 1 FROM changed -- one row for each delivery, for the count of rows`,
    [
      ...columns(
        results,
        'merchantId',
        'deliveryId',
        'lease',
        'manual',
        'acknowledged',
        'nextTry',
        'responseStatus',
        'responseBody',
        'error',
        'durationMs',
        'at',
      ),
      now,
    ],
  );
}
