import type { Tx } from '../platform/db/db.ts';

/** The last advance of the clock, in whichever process. */
export interface Progress {
  from: Temporal.Instant;
  to: Temporal.Instant;
  /** Where it ended; null: it is under way. */
  reached: Temporal.Instant | null;
  /** Why it ended before its target. */
  error: string | null;
}

/** Records that an advance begins. */
export async function recordBegin(
  tx: Tx,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE sandbox_clock SET advance_from = $1, advance_to = $2, advance_reached = NULL, advance_error = NULL,
       waiting_for = NULL`,
    [from, to],
  );
}

/** Records where the advance from this moment has ended, and the error that ended it; not if the next one has begun. */
export async function recordEnd(
  tx: Tx,
  from: Temporal.Instant,
  reached: Temporal.Instant,
  error: string | null,
): Promise<void> {
  await tx.run(
    `UPDATE sandbox_clock SET advance_reached = $2, advance_error = $3, waiting_for = NULL
     WHERE advance_from = $1`,
    [from, reached, error],
  );
}

/** Ends an advance whose process was cut off, where the clock stands. Only while no advance is in progress. */
export async function recordCutOff(tx: Tx, at: Temporal.Instant): Promise<void> {
  await tx.run(
    `UPDATE sandbox_clock SET advance_reached = $1, advance_error = 'The service was stopped.', waiting_for = NULL
     WHERE advance_from IS NOT NULL AND advance_reached IS NULL`,
    [at],
  );
}

/** Records the webhook endpoints that have not answered yet. */
export async function recordWaiting(tx: Tx, endpointIds: readonly string[]): Promise<void> {
  await tx.run('UPDATE sandbox_clock SET waiting_for = $1', [endpointIds]);
}

/** Returns the last advance of this life of the sandbox; null: there was none. */
export async function readProgress(tx: Tx): Promise<Progress | null> {
  return tx.row<Progress>(
    `SELECT advance_from AS "from", advance_to AS "to", advance_reached AS reached, advance_error AS error FROM sandbox_clock WHERE advance_from IS NOT NULL`,
  );
}

/**
 * Returns the addresses of the endpoints that an advance waits for. Those of other merchants are not named; `others` counts
 * them.
 */
export async function readWaiting(
  tx: Tx,
  merchantId: string,
): Promise<{ urls: string[]; others: number }> {
  const row = await tx.row<{ urls: string[]; others: number }>(
    `SELECT ARRAY(SELECT url FROM webhook_endpoints WHERE merchant_id = $1 AND endpoint_id = ANY (c.waiting_for)
       ORDER BY url) AS urls,
       coalesce(cardinality(c.waiting_for), 0) - (SELECT count(*) FROM webhook_endpoints
         WHERE merchant_id = $1 AND endpoint_id = ANY (c.waiting_for)) AS others
     FROM sandbox_clock c WHERE advance_reached IS NULL`,
    [merchantId],
  );
  return row ?? { urls: [], others: 0 };
}
