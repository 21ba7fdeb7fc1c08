import { claim } from '../platform/claim.ts';
import type { Tx } from '../platform/db.ts';
import { earliest } from '../platform/engine.ts';
import { oneOf } from '../platform/one-of.ts';
import { unguessed } from '../platform/unguessed.ts';

/** An event that has not been handed to its endpoints yet. */
export interface UnroutedEvent {
  merchant_id: string;
  event_id: string;
  kind: string;
  subject_id: string;
  created_at: Temporal.Instant;
}

const ROUTERS_LOCK = 7_301_201;

/** Whether this transaction is the only one that routes: one at a time keeps deliveries in the order of events. */
export async function becomeRouter(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [
    ROUTERS_LOCK,
  ]);
  return row?.mine ?? false;
}

/**
 * Takes the oldest events out of the outbox, in their order. By where they lie, and each event by its key: whatever the planner
 * knows of the outbox, which is full at one moment and empty at the next, it is not read from end to end.
 */
export function takeUnrouted(tx: Tx, limit: number): Promise<UnroutedEvent[]> {
  return tx.rows<UnroutedEvent>(
    `WITH taken AS (
       DELETE FROM outbox WHERE ${oneOf('SELECT ctid FROM outbox ORDER BY created_at, event_id LIMIT $1')}
       RETURNING merchant_id, event_id
     )
     SELECT t.merchant_id, t.event_id, v.* FROM taken t
     CROSS JOIN LATERAL (SELECT kind, subject_id, created_at FROM events
       WHERE merchant_id = t.merchant_id AND event_id = t.event_id OFFSET 0) v
     ORDER BY v.created_at, t.event_id`,
    [limit],
  );
}

/** When the oldest event occurred that nobody has routed. */
export const OLDEST_UNROUTED = earliest('created_at', 'outbox', 'true');

/** Notes events that no endpoint asks for: until one does, they have arrived nowhere. */
export async function noteWithoutEndpoint(tx: Tx, events: readonly UnroutedEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.run(
    `INSERT INTO events_without_endpoint (merchant_id, event_id) SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT DO NOTHING`,
    [events.map((event) => event.merchant_id), events.map((event) => event.event_id)],
  );
}

/** How much is under way at an endpoint. */
export interface Busy {
  endpointId: string;
  count: number;
}

/** An endpoint's place in the round. */
export interface Cursor {
  merchantId: string;
  endpointId: string;
}

export interface Candidate {
  merchant_id: string;
  endpoint_id: string;
  delivery_id: string;
}

/**
 * What is due, endpoint after endpoint from the cursor on, as many of each as it has room for: walking from endpoint to
 * endpoint along the index costs the same whatever waits at any one of them, and stops as soon as there is enough. What waits
 * at an endpoint that is not enabled is left to be put aside.
 */
export function dueInTurn(
  tx: Tx,
  now: Temporal.Instant,
  turn: { after: Cursor; busy: readonly Busy[]; perEndpoint: number; limit: number },
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
         AND ${unguessed(`status = 'enabled'`)} OFFSET 0) e, LATERAL (
       SELECT merchant_id, endpoint_id, delivery_id FROM deliveries
       WHERE merchant_id = w.merchant_id AND endpoint_id = w.endpoint_id AND due_at <= $1
       ORDER BY due_at, event_id
       LIMIT greatest(0, $6 - coalesce((SELECT busy.count FROM unnest($4::text[], $5::int[]) AS busy (endpoint_id, count)
                                        WHERE busy.endpoint_id = w.endpoint_id), 0))) d
     LIMIT $7`,
    [
      now,
      turn.after.merchantId,
      turn.after.endpointId,
      turn.busy.map((b) => b.endpointId),
      turn.busy.map((b) => b.count),
      turn.perEndpoint,
      turn.limit,
    ],
  );
}

/** A claimed delivery with all that its sending needs. */
export interface ClaimedDelivery {
  merchant_id: string;
  delivery_id: string;
  event_id: string;
  endpoint_id: string;
  attempts: number;
  failures: number;
  /** The end of the lease; whoever changes the delivery meanwhile changes this too. */
  due_at: Temporal.Instant;
  body: string;
  sequence: number | null;
  url: string;
  secret: string;
  next_secret: string | null;
}

type Claimed = Pick<ClaimedDelivery, 'delivery_id' | 'due_at'> & { merchant_id: string };

/** Claims those of the candidates that are still due and held by nobody, and answers them in the candidates' order. */
export async function claimDeliveries(
  tx: Tx,
  now: Temporal.Instant,
  leaseMs: number,
  candidates: readonly Candidate[],
): Promise<ClaimedDelivery[]> {
  const claimed = await claim<Claimed>(tx, now, leaseMs, candidates.length, {
    table: 'deliveries',
    key: ['merchant_id', 'delivery_id'],
    among: [candidates.map((c) => c.merchant_id), candidates.map((c) => c.delivery_id)],
    returning: 't.merchant_id, t.delivery_id, t.due_at',
  });
  if (claimed.length === 0) return [];
  const ours = new Set(claimed.map((c) => c.delivery_id));
  const inOrder = candidates.filter((c) => ours.has(c.delivery_id));
  return tx.rows<ClaimedDelivery>(
    `SELECT c.merchant_id, c.delivery_id, d.*, v.*, w.*
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS c (merchant_id, delivery_id, position)
     CROSS JOIN LATERAL (SELECT event_id, endpoint_id, attempts, failures, due_at FROM deliveries
       WHERE merchant_id = c.merchant_id AND delivery_id = c.delivery_id OFFSET 0) d
     CROSS JOIN LATERAL (SELECT body, sequence FROM events
       WHERE merchant_id = c.merchant_id AND event_id = d.event_id OFFSET 0) v
     CROSS JOIN LATERAL (SELECT url, secret, next_secret FROM webhook_endpoints
       WHERE merchant_id = c.merchant_id AND endpoint_id = d.endpoint_id OFFSET 0) w
     ORDER BY c.position`,
    [inOrder.map((c) => c.merchant_id), inOrder.map((c) => c.delivery_id)],
  );
}
