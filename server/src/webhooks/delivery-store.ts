import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import { claim } from '../platform/engine/claim.ts';
import type { HandedOffRow } from '../platform/engine/lease-handoff.ts';
import type { AppendedEvent, FreshDelivery } from '../platform/state/events.ts';
import { opaque } from '../platform/values/opaque.ts';

/** Records events that no endpoint subscribes to: they count as undelivered until one does. */
export async function noteWithoutEndpoint(tx: Tx, events: readonly AppendedEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.run(
    'INSERT INTO events_without_endpoint (merchant_id, event_id) SELECT * FROM unnest($1::text[], $2::text[]) RETURNING 1',
    columns(events, 'merchantId', 'eventId'),
  );
}

/** How many more deliveries may be taken for an endpoint. */
export interface EndpointRoom {
  endpointId: string;
  room: number;
}

/** An endpoint's position in the round. */
export interface Cursor {
  merchantId: string;
  endpointId: string;
}

export interface Candidate {
  merchantId: string;
  endpointId: string;
  deliveryId: string;
}

/**
 * Finds due deliveries, endpoint after endpoint from the cursor, as many of each as it has room for. Walking along the index
 * costs the same however many wait at an endpoint, and stops as soon as there are enough. Deliveries of an endpoint that is
 * not enabled are left to be put aside.
 */
export function dueInTurn(
  tx: Tx,
  now: Temporal.Instant,
  turn: { after: Cursor; known: readonly EndpointRoom[]; perEndpoint: number; limit: number },
): Promise<Candidate[]> {
  return tx.rows<Candidate>(
    `WITH RECURSIVE waiting AS (
       (SELECT merchant_id, endpoint_id FROM deliveries
        WHERE due_at IS NOT NULL AND (merchant_id, endpoint_id) > ($2, $3)
        ORDER BY merchant_id, endpoint_id LIMIT 1)
       UNION ALL
       SELECT n.merchant_id, n.endpoint_id FROM waiting w, LATERAL (
         SELECT merchant_id, endpoint_id FROM deliveries
         WHERE due_at IS NOT NULL AND (merchant_id, endpoint_id) > (w.merchant_id, w.endpoint_id)
         ORDER BY merchant_id, endpoint_id LIMIT 1) n
     )
     SELECT d.merchant_id, d.endpoint_id, d.delivery_id FROM waiting w, LATERAL (
       SELECT FROM webhook_endpoints WHERE merchant_id = w.merchant_id AND endpoint_id = w.endpoint_id
         AND ${opaque(`status = 'enabled'`)} OFFSET 0) e, LATERAL (
       SELECT merchant_id, endpoint_id, delivery_id FROM deliveries
       WHERE merchant_id = w.merchant_id AND endpoint_id = w.endpoint_id AND due_at <= $1
       ORDER BY due_at, event_id
       LIMIT coalesce((SELECT known.room FROM unnest($4::text[], $5::int[]) AS known (endpoint_id, room)
                       WHERE known.endpoint_id = w.endpoint_id), $6)) d
     LIMIT $7`,
    [
      now,
      turn.after.merchantId,
      turn.after.endpointId,
      ...columns(turn.known, 'endpointId', 'room'),
      turn.perEndpoint,
      turn.limit,
    ],
  );
}

/** A claimed delivery with everything needed to send it. */
export interface ClaimedDelivery {
  merchantId: string;
  deliveryId: string;
  eventId: string;
  endpointId: string;
  attempts: number;
  failures: number;
  /** The end of the lease; any other change of the delivery changes it too. */
  dueAt: Temporal.Instant;
  body: string;
  sequence: number | null;
  url: string;
  secret: string;
  nextSecret: string | null;
}

type Claimed = Pick<
  ClaimedDelivery,
  'merchantId' | 'deliveryId' | 'eventId' | 'endpointId' | 'attempts' | 'failures' | 'dueAt'
>;
type Content = Omit<ClaimedDelivery, keyof Claimed> & { deliveryId: string };

/** Claims the candidates that are still due and not locked; returns them in the candidates' order. */
export async function claimDeliveries(
  tx: Tx,
  now: Temporal.Instant,
  leaseMs: number,
  candidates: readonly Candidate[],
): Promise<ClaimedDelivery[]> {
  const claimed = await claim<Claimed>(tx, now, leaseMs, candidates.length, {
    table: 'deliveries',
    key: ['merchant_id', 'delivery_id'],
    among: columns(candidates, 'merchantId', 'deliveryId'),
    returning:
      't.merchant_id, t.delivery_id, t.event_id, t.endpoint_id, t.attempts, t.failures, t.due_at',
  });
  const byId = new Map(claimed.map((c) => [c.deliveryId, c]));
  return withContents(
    tx,
    candidates.flatMap(({ deliveryId: id }) => byId.get(id) ?? []),
  );
}

/** Returns deliveries that were inserted as claimed, with everything needed to send them. */
export function readNewDeliveries(
  tx: Tx,
  fresh: readonly HandedOffRow<FreshDelivery>[],
): Promise<ClaimedDelivery[]> {
  return withContents(
    tx,
    fresh.map(({ row, until }) => ({ ...row, attempts: 0, failures: 0, dueAt: until })),
  );
}

/** Makes deliveries that were inserted as claimed due now: they are not sent at once after all. */
export async function releaseFresh(
  tx: Tx,
  now: Temporal.Instant,
  fresh: readonly HandedOffRow<FreshDelivery>[],
): Promise<void> {
  if (fresh.length === 0) return;
  await tx.run(
    `UPDATE deliveries d SET due_at = $4
     FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS l (merchant_id, delivery_id, until)
     WHERE d.merchant_id = l.merchant_id AND d.delivery_id = l.delivery_id AND ${opaque('d.due_at = l.until')}`,
    [
      ...columns(
        fresh.map(({ row }) => row),
        'merchantId',
        'deliveryId',
      ),
      fresh.map(({ until }) => until),
      now,
    ],
  );
}

async function withContents(tx: Tx, claimed: readonly Claimed[]): Promise<ClaimedDelivery[]> {
  if (claimed.length === 0) return [];
  const contents = await findContents(tx, claimed);
  return claimed.flatMap((ours) => {
    const content = contents.get(ours.deliveryId);
    return content === undefined ? [] : [{ ...ours, ...content }];
  });
}

/** Returns the contents and targets by delivery id; each endpoint is read once for all of its deliveries. */
async function findContents(tx: Tx, claimed: readonly Claimed[]): Promise<Map<string, Content>> {
  const rows = await tx.rows<Content>(
    `WITH target AS MATERIALIZED (
       SELECT k.merchant_id, k.endpoint_id, w.*
       FROM (SELECT DISTINCT * FROM unnest($1::text[], $4::text[]) AS u (merchant_id, endpoint_id)) k
       CROSS JOIN LATERAL (SELECT url, secret, next_secret FROM webhook_endpoints
         WHERE merchant_id = k.merchant_id AND endpoint_id = k.endpoint_id OFFSET 0) w
     )
     SELECT c.delivery_id, v.*, t.url, t.secret, t.next_secret
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS c (merchant_id, delivery_id, event_id, endpoint_id)
     CROSS JOIN LATERAL (SELECT body, sequence FROM events
       WHERE merchant_id = c.merchant_id AND event_id = c.event_id) v
     JOIN target t ON t.merchant_id = c.merchant_id AND t.endpoint_id = c.endpoint_id`,
    columns(claimed, 'merchantId', 'deliveryId', 'eventId', 'endpointId'),
  );
  return new Map(rows.map((row) => [row.deliveryId, row]));
}
