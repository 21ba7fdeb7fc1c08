import type { SqlValue, Tx } from '../platform/db/db.ts';
import { conditions } from '../platform/http/lists/conditions.ts';
import type { CreatedSort } from '../platform/http/lists/list-filters.ts';
import { type List, type Page, readPage } from '../platform/http/lists/page.ts';
import type { DeliveryStatus } from './delivery.ts';
import { TEST_EVENT_KIND } from './endpoint.ts';

export interface EventRow {
  eventId: string;
  kind: string;
  scheduleId: string | null;
  sequence: number | null;
  subjectId: string;
  body: string;
  createdAt: Temporal.Instant;
}

export interface DeliveryRow {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  status: DeliveryStatus;
  attempts: number;
  dueAt: Temporal.Instant | null;
  finishedAt: Temporal.Instant | null;
  url: string;
}

export interface AttemptRow {
  deliveryId: string;
  number: number;
  manual: boolean;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
  at: Temporal.Instant;
}

/** Selects events: from `from` inclusive to `to` exclusive. */
export interface EventFilter {
  undelivered: boolean;
  kind?: string;
  scheduleId?: string;
  from?: Temporal.Instant;
  to?: Temporal.Instant;
  sort?: CreatedSort;
}

const OF_EVENT = 'd.merchant_id = v.merchant_id AND d.event_id = v.event_id';
const LIVING = `webhook_endpoints w WHERE w.merchant_id = $1 AND w.status <> 'deleted'`;

/** Events that may be undelivered: without an endpoint, or not acknowledged. Few compared with all events. */
const WITHOUT_ENDPOINT = 'SELECT event_id FROM events_without_endpoint WHERE merchant_id = $1';
const UNACKNOWLEDGED = 'SELECT event_id FROM undelivered_deliveries WHERE merchant_id = $1';
const AWAITED = `SELECT d.event_id FROM undelivered_deliveries d JOIN webhook_endpoints w USING (merchant_id, endpoint_id)
    WHERE d.merchant_id = $1 AND w.status <> 'deleted'`;
const IS_DELIVERED = `EXISTS (SELECT FROM deliveries d WHERE ${OF_EVENT} AND d.status = 'delivered')`;

/**
 * The undelivered events of merchant $1: those that an existing endpoint has not acknowledged; and those never acknowledged
 * at all, although an endpoint subscribes to their kind or none exists yet.
 */
const UNDELIVERED = `(
  SELECT v.* FROM events v WHERE v.merchant_id = $1 AND v.event_id IN (${AWAITED})
  UNION ALL
  SELECT v.* FROM events v
  WHERE v.merchant_id = $1 AND v.event_id IN (${WITHOUT_ENDPOINT} UNION ${UNACKNOWLEDGED} EXCEPT ${AWAITED})
    AND NOT ${IS_DELIVERED} AND v.kind <> '${TEST_EVENT_KIND}'
    AND (v.kind = ANY (ARRAY(SELECT unnest(w.event_kinds) FROM ${LIVING})) OR NOT EXISTS (SELECT FROM ${LIVING})))`;

/** Returns the source and the conditions of the events that match a filter. */
function eventsWith(merchantId: string, filter: EventFilter): { from: string; values: SqlValue[] } {
  const { add, where, values } = conditions('v.merchant_id = $1', [merchantId]);
  add(filter.kind, (place) => `v.kind = ${place}`);
  add(filter.scheduleId, (place) => `v.schedule_id = ${place}`);
  add(filter.from, (place) => `v.created_at >= ${place}`);
  add(filter.to, (place) => `v.created_at < ${place}`);
  const source = filter.undelivered ? UNDELIVERED : 'events';
  return { from: `${source} v WHERE ${where()}`, values };
}

const EVENT = 'v.event_id, v.kind, v.schedule_id, v.sequence, v.subject_id, v.body, v.created_at';

/** Returns a page of the merchant's events, newest first unless sorted otherwise. */
export async function listEvents(
  tx: Tx,
  merchantId: string,
  filter: EventFilter,
  page: Page,
): Promise<List<EventRow>> {
  const { from, values } = eventsWith(merchantId, filter);
  return readPage<EventRow>(
    tx,
    {
      columns: EVENT,
      from,
      values,
      order: {
        by: { 'v.created_at': 'instant', 'v.event_id': 'text' },
        isDescending: filter.sort !== 'created_at',
      },
    },
    page,
  );
}

/** Counts the merchant's events that match a filter. */
export async function countEvents(
  tx: Tx,
  merchantId: string,
  filter: EventFilter,
): Promise<number> {
  const { from, values } = eventsWith(merchantId, filter);
  const row = await tx.row<{ total: number }>(`SELECT count(*) AS total FROM ${from}`, values);
  return row?.total ?? 0;
}

/** Finds an event by id. */
export function findEvent(tx: Tx, merchantId: string, eventId: string): Promise<EventRow | null> {
  return tx.row<EventRow>(
    `SELECT ${EVENT} FROM events v WHERE v.merchant_id = $1 AND v.event_id = $2`,
    [merchantId, eventId],
  );
}

/** A delivery not acknowledged when its endpoint was deleted failed at that moment, even if its row was not written since. */
const ENDED = `w.status = 'deleted' AND d.finished_at IS NULL`;

/** Returns the deliveries of these events, in the order in which their endpoints were created. */
export function deliveriesOf(
  tx: Tx,
  merchantId: string,
  eventIds: readonly string[],
): Promise<DeliveryRow[]> {
  return tx.rows<DeliveryRow>(
    `SELECT d.delivery_id, d.event_id, d.endpoint_id, d.attempts, w.url,
       CASE WHEN ${ENDED} THEN 'failed' ELSE d.status END AS status,
       CASE WHEN ${ENDED} THEN NULL ELSE d.due_at END AS due_at,
       CASE WHEN ${ENDED} THEN w.updated_at ELSE d.finished_at END AS finished_at
     FROM deliveries d JOIN webhook_endpoints w USING (merchant_id, endpoint_id)
     WHERE d.merchant_id = $1 AND d.event_id = ANY($2::text[]) ORDER BY d.endpoint_id`,
    [merchantId, eventIds],
  );
}

const MAX_ATTEMPTS = 1000;

/** Returns the newest 1,000 attempts of these deliveries, oldest first. */
export async function attemptsOf(
  tx: Tx,
  merchantId: string,
  deliveryIds: readonly string[],
): Promise<AttemptRow[]> {
  const rows = await tx.rows<AttemptRow>(
    `SELECT delivery_id, number, manual, response_status, response_body, error, duration_ms, at
     FROM all_delivery_attempts WHERE merchant_id = $1 AND delivery_id = ANY($2::text[])
     ORDER BY at DESC, number DESC LIMIT ${MAX_ATTEMPTS}`,
    [merchantId, deliveryIds],
  );
  return rows.reverse();
}

/** Selects an endpoint's events for a replay: from `from` inclusive to `to` exclusive. */
export interface Range {
  endpointId: string;
  /** The kinds that the endpoint subscribes to: missing deliveries are created only for these. */
  eventKinds: readonly string[];
  from: Temporal.Instant;
  to: Temporal.Instant;
  onlyUndelivered: boolean;
}

/** Returns the range's events without a pending delivery, oldest first. */
export function eventsToReplay(
  tx: Tx,
  merchantId: string,
  range: Range,
  limit: number,
): Promise<{ eventId: string; createdAt: Temporal.Instant }[]> {
  return tx.rows(
    `SELECT v.event_id, v.created_at FROM events v
     LEFT JOIN deliveries d ON ${OF_EVENT} AND d.endpoint_id = $2
     WHERE v.merchant_id = $1 AND v.created_at >= $3 AND v.created_at < $4
       AND CASE WHEN d.status IS NULL THEN v.kind = ANY($5::text[])
                ELSE d.status <> 'pending' AND (d.status <> 'delivered' OR NOT $6) END
     ORDER BY v.created_at, v.event_id LIMIT $7`,
    [
      merchantId,
      range.endpointId,
      range.from,
      range.to,
      range.eventKinds,
      range.onlyUndelivered,
      limit,
    ],
  );
}
