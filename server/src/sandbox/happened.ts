import type { Tx } from '../platform/db/db.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import type { Happening } from './happening.ts';

/** The longest list that is returned: the latest happenings. */
const MAX_HAPPENINGS = 10_000;

interface Row {
  at: Temporal.Instant;
  happening: Happening;
}

/**
 * While an advance holds the clock, many things happen at the same business time. The age of the transaction that wrote a row
 * orders them; within one transaction, changes come before the events about them. None of these rows is ever updated but a
 * delivery that is sent again: the first attempt in its row then comes right after its event.
 */
const HAPPENED = `
SELECT at, happening FROM (
  SELECT at, age(xmin) AS age, 1 AS rank, change_id AS number, '' AS id,
    json_build_object('kind', 'state_change', 'object_id', object_id, 'schedule_id', schedule_id,
      'from', from_state, 'to', to_state, 'reason', reason) AS happening
  FROM state_changes WHERE merchant_id = $1 AND at >= $2
  UNION ALL
  SELECT created_at, age(xmin), 2, 0, event_id,
    json_build_object('kind', 'event', 'event_id', event_id, 'event', kind, 'subject_id', subject_id)
  FROM events WHERE merchant_id = $1 AND created_at >= $2
  UNION ALL
  SELECT a.at, age(a.xmin), 3, a.number, d.event_id,
    json_build_object('kind', 'delivery_attempt', 'event_id', d.event_id, 'endpoint_id', d.endpoint_id,
      'number', a.number, 'response_status', a.response_status, 'error', a.error)
  FROM delivery_attempts a JOIN deliveries d USING (merchant_id, delivery_id)
  WHERE a.merchant_id = $1 AND a.at >= $2
  UNION ALL
  SELECT d.first_at, age(CASE WHEN d.status = 'delivered' AND d.attempts = 1 THEN d.xmin ELSE v.xmin END), 3, 1, d.event_id,
    json_build_object('kind', 'delivery_attempt', 'event_id', d.event_id, 'endpoint_id', d.endpoint_id,
      'number', 1, 'response_status', d.first_response_status, 'error', NULL)
  FROM deliveries d JOIN events v USING (merchant_id, event_id)
  WHERE d.merchant_id = $1 AND d.first_at >= $2
) happened ORDER BY at DESC, age, rank DESC, id COLLATE "C" DESC, number DESC LIMIT $3`;

/** Returns all that happened to a merchant since a business time, oldest first: the latest 10,000. */
export async function happenedSince(
  tx: Tx,
  merchantId: string,
  since: Temporal.Instant,
): Promise<{ happened: Happening[]; truncated: boolean }> {
  const rows = await tx.rows<Row>(HAPPENED, [merchantId, since, MAX_HAPPENINGS + 1]);
  const happened = rows.slice(0, MAX_HAPPENINGS).reverse();
  return {
    happened: happened.map(({ at, happening }) => ({ ...happening, at: formatInstant(at) })),
    truncated: rows.length > MAX_HAPPENINGS,
  };
}
