import type { Tx } from '../platform/db.ts';

/** What came of one sending, and what becomes of its delivery. */
export interface SendingResult {
  merchantId: string;
  deliveryId: string;
  /** The lease under which it was sent: where it is no longer the delivery's, somebody else has decided meanwhile. */
  lease: Temporal.Instant;
  manual: boolean;
  acknowledged: boolean;
  /** When it is tried again after a failure; null: not again. */
  nextTry: Temporal.Instant | null;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
  /** Business time of the sending's end. */
  at: Temporal.Instant;
}

/**
 * Records attempts, each of another delivery, in one statement. The attempt is always written down. The delivery follows
 * it while it is still under the attempt's lease; an acknowledgement also counts for one that was put aside meanwhile
 * (held or failed), but not for one that was set off anew: that one is sent again, as somebody asked.
 */
export async function recordResults(tx: Tx, results: readonly SendingResult[]): Promise<void> {
  await tx.run(
    `WITH result AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::boolean[], $5::boolean[], $6::timestamptz[],
                            $7::int[], $8::text[], $9::text[], $10::int[], $11::timestamptz[])
         AS r (merchant_id, delivery_id, lease, manual, acknowledged, next_try,
               response_status, response_body, error, duration_ms, at)
     ), changed AS (
       UPDATE deliveries d SET
         attempts = d.attempts + 1,
         failures = d.failures + CASE WHEN d.due_at = r.lease AND NOT r.acknowledged THEN 1 ELSE 0 END,
         status = CASE WHEN r.acknowledged AND (d.due_at = r.lease OR d.due_at IS NULL) THEN 'delivered'
                       WHEN d.due_at = r.lease AND r.next_try IS NULL THEN 'failed'
                       ELSE d.status END,
         due_at = CASE WHEN d.due_at = r.lease AND r.acknowledged THEN NULL
                       WHEN d.due_at = r.lease THEN r.next_try
                       ELSE d.due_at END,
         finished_at = CASE WHEN r.acknowledged AND (d.due_at = r.lease OR d.due_at IS NULL) THEN r.at
                            WHEN d.due_at = r.lease AND r.next_try IS NULL THEN r.at
                            ELSE d.finished_at END
       FROM result r WHERE d.merchant_id = r.merchant_id AND d.delivery_id = r.delivery_id
       RETURNING d.merchant_id, d.delivery_id, d.attempts, r.manual, r.response_status, r.response_body, r.error,
         r.duration_ms, r.at
     )
     INSERT INTO delivery_attempts (merchant_id, delivery_id, number, manual, response_status, response_body, error,
       duration_ms, at)
     SELECT * FROM changed`,
    [
      results.map((r) => r.merchantId),
      results.map((r) => r.deliveryId),
      results.map((r) => r.lease),
      results.map((r) => r.manual),
      results.map((r) => r.acknowledged),
      results.map((r) => r.nextTry),
      results.map((r) => r.responseStatus),
      results.map((r) => r.responseBody),
      results.map((r) => r.error),
      results.map((r) => r.durationMs),
      results.map((r) => r.at),
    ],
  );
}
