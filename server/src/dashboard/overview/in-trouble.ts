import type { Static } from 'typebox';
import type { Asked } from '../../platform/platform.ts';
import type { FailingEndpoint } from './view.ts';
import { findInTrouble } from './webhook-store.ts';

/** How long a failed delivery counts as trouble. */
const FAILURE_SHOWN_FOR = Temporal.Duration.from({ hours: 24 * 7 });
/** How long the retries of an event have to mend it before it counts as trouble. */
const RETRIED_FOR = Temporal.Duration.from({ hours: 1 });

/** Returns the endpoints with events that somebody has to see to: not retried any more, or failing for an hour. */
export async function readInTrouble({
  tx,
  now,
  merchantId,
}: Asked): Promise<Static<typeof FailingEndpoint>[]> {
  const rows = await findInTrouble(tx, merchantId, {
    failedSince: now.subtract(FAILURE_SHOWN_FOR),
    retriedSince: now.subtract(RETRIED_FOR),
  });
  return rows.map((row) => ({
    endpoint_id: row.endpointId,
    url: row.url,
    status: row.status,
    undelivered: row.undelivered,
    last_error: row.lastError,
  }));
}
