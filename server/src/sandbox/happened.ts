import { formatInstant } from '../platform/calendar.ts';
import type { Tx } from '../platform/db.ts';

/** Something that happened to a merchant, in the order in which it happened. `at` is business time. */
export type Happening = { at: string } & (
  | {
      kind: 'state_change';
      object_id: string;
      schedule_id: string | null;
      from: string | null;
      to: string;
      reason: string;
    }
  | { kind: 'event'; event_id: string; event: string; subject_id: string }
  | {
      kind: 'delivery_attempt';
      event_id: string;
      endpoint_id: string;
      number: number;
      response_status: number | null;
      error: string | null;
    }
);

/** The most that one answer tells of: the last ones. */
const MOST_HAPPENINGS = 10_000;

interface Row {
  kind: Happening['kind'];
  at: Temporal.Instant;
  object_id: string;
  schedule_id: string | null;
  from_state: string | null;
  to_state: string;
  reason: string;
  event_id: string;
  endpoint_id: string;
  number: number;
  response_status: number | null;
  error: string | null;
}

/**
 * Many things happen at one moment of a clock that is held: among them, the transaction that wrote a row
 * tells what came first. An event's row is written again when it is handed to its endpoints, so it takes
 * the place of the last change of its subject at that moment, with which it was written.
 */
const HAPPENED = `
WITH changes AS (
  SELECT *, age(xmin) AS age FROM state_changes WHERE merchant_id = $1 AND at >= $2
), places AS (
  SELECT object_id, at, min(age) AS age FROM changes GROUP BY object_id, at
), happened AS (
  SELECT 'state_change' AS kind, at, age, 1 AS rank, '' COLLATE "C" AS tie, change_id AS number_tie,
    object_id, schedule_id, from_state, to_state, reason,
    NULL AS event_id, NULL AS endpoint_id, NULL::int AS number, NULL::int AS response_status, NULL AS error
  FROM changes
  UNION ALL
  SELECT 'event', e.created_at, coalesce(p.age, age(e.xmin)), 2, e.event_id COLLATE "C", 0,
    e.subject_id, e.schedule_id, NULL, e.kind, NULL, e.event_id, NULL, NULL, NULL, NULL
  FROM events e LEFT JOIN places p ON p.object_id = e.subject_id AND p.at = e.created_at
  WHERE e.merchant_id = $1 AND e.created_at >= $2
  UNION ALL
  SELECT 'delivery_attempt', a.at, age(a.xmin), 3, d.event_id COLLATE "C", 0,
    a.delivery_id, NULL, NULL, NULL, NULL, d.event_id, d.endpoint_id, a.number, a.response_status, a.error
  FROM delivery_attempts a JOIN deliveries d USING (merchant_id, delivery_id)
  WHERE a.merchant_id = $1 AND a.at >= $2
)
SELECT * FROM happened ORDER BY at DESC, age, rank DESC, number_tie DESC, tie DESC LIMIT $3`;

/**
 * All that happened to a merchant since a moment of business time: the last 10,000, the oldest of them
 * first.
 */
export async function happenedSince(
  tx: Tx,
  merchantId: string,
  since: Temporal.Instant,
): Promise<{ happened: Happening[]; truncated: boolean }> {
  const rows = await tx.rows<Row>(HAPPENED, [merchantId, since, MOST_HAPPENINGS + 1]);
  const truncated = rows.length > MOST_HAPPENINGS;
  return { happened: rows.slice(0, MOST_HAPPENINGS).reverse().map(view), truncated };
}

function view(row: Row): Happening {
  const at = formatInstant(row.at);
  const { kind, object_id, schedule_id, event_id, endpoint_id, number, response_status, error } =
    row;
  switch (kind) {
    case 'state_change':
      return {
        at,
        kind,
        object_id,
        schedule_id,
        from: row.from_state,
        to: row.to_state,
        reason: row.reason,
      };
    case 'event':
      return { at, kind, event_id, event: row.to_state, subject_id: object_id };
    case 'delivery_attempt':
      return { at, kind, event_id, endpoint_id, number, response_status, error };
  }
}
