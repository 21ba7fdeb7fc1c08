import type { Static, TSchema } from 'typebox';
import { columns } from '../db/columns.ts';
import type { Tx } from '../db/db.ts';
import type { LeaseHandoff } from '../engine/lease-handoff.ts';
import type { Ids } from '../values/ids.ts';
import type { Vault } from '../vault/vault.ts';

/** An event to send to the merchant. It is written in the transaction that changes the state it describes. */
export interface NewEvent {
  merchantId: string;
  kind: string;
  /** Events of one schedule have their own sequence number. Null: not about a schedule. */
  scheduleId: string | null;
  subjectId: string;
  data: object;
  /** The data contains account numbers: the body is sealed at rest. */
  isConfidential?: boolean;
}

/** An event that was just appended. */
export interface AppendedEvent
  extends Pick<NewEvent, 'merchantId' | 'kind' | 'subjectId' | 'data'> {
  eventId: string;
}

/** A delivery that was never tried, inserted as claimed. */
export interface FreshDelivery {
  merchantId: string;
  deliveryId: string;
  eventId: string;
  endpointId: string;
}

/** Where new deliveries are handed on to whoever sends them. */
export interface DeliveryHandoff {
  claims: LeaseHandoff<FreshDelivery>;
  /** Returns how many more can be taken to be sent at once, for each endpoint. */
  rooms(): (endpointId: string) => number;
}

/**
 * Creates the deliveries of events that were appended in the same transaction, and hands on those that can be sent at once. A
 * slice after this one has the endpoints (`webhooks/fan-out.ts`), so `app/deployment/platform.ts` passes the function in.
 */
export type FanOut = (
  tx: Tx,
  at: Temporal.Instant,
  events: readonly AppendedEvent[],
  handing?: DeliveryHandoff,
) => Promise<void>;

/** What appending takes of the platform. */
export interface Appending {
  ids: Ids;
  vault: Vault;
  fanOut: FanOut;
}

/** Kinds of events, each with when it is sent ("Sent when …") and the schema of its data; each slice describes its own. */
export type EventDescriptions<K extends string = string> = Readonly<
  Record<K, { description: string; data: TSchema }>
>;

/** The data of an event of this kind. */
export type DataOf<D extends EventDescriptions, K extends keyof D> = Static<D[K]['data']>;

const context = (eventId: string): string => `event:${eventId}`;

/** Returns the body of an event as it is signed and sent. */
export function openEventBody(vault: Vault, eventId: string, stored: string): string {
  return stored.startsWith('{') ? stored : vault.open(stored, context(eventId));
}

function bodyOf(vault: Vault, eventId: string, event: NewEvent): string {
  const body = JSON.stringify({ event: event.kind, data: event.data });
  return event.isConfidential === true ? vault.seal(body, context(eventId)) : body;
}

/**
 * Appends events and their deliveries; returns the events' ids in order. The body is fixed here: the exact bytes that every
 * delivery signs and sends (docs/rules/webhooks.md#events). The schedules' agendas, which number the events, are locked in
 * primary-key order, so that two batches cannot deadlock. Events and numbers are merged by a sort, because a join would compare
 * every pair.
 */
export async function appendEvents(
  { platform, tx, now: at }: { platform: Appending; tx: Tx; now: Temporal.Instant },
  events: readonly NewEvent[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const { ids, vault, fanOut } = platform;
  const eventIds = events.map(() => ids.next('evt', at));
  await tx.run(
    `WITH fresh AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
         WITH ORDINALITY AS e (merchant_id, event_id, kind, schedule_id, subject_id, body, position)
     ), sequences AS (
       INSERT INTO schedule_agenda AS a (merchant_id, schedule_id, last_event)
       SELECT merchant_id, schedule_id, count(*) FROM fresh WHERE schedule_id IS NOT NULL
       GROUP BY merchant_id, schedule_id ORDER BY merchant_id, schedule_id
       ON CONFLICT (merchant_id, schedule_id) DO UPDATE SET last_event = a.last_event + excluded.last_event
       RETURNING merchant_id, schedule_id, last_event
     )
     INSERT INTO events (merchant_id, event_id, kind, schedule_id, sequence, subject_id, body, created_at)
     SELECT merchant_id, event_id, kind, schedule_id, last + 1 - from_behind, subject_id, body, $7
     FROM (SELECT *, max(last_of_schedule) OVER s AS last, row_number() OVER (s ORDER BY position DESC NULLS LAST) AS from_behind
           FROM (SELECT *, NULL::int AS last_of_schedule FROM fresh UNION ALL
                 SELECT merchant_id, NULL, NULL, schedule_id, NULL, NULL, NULL, last_event FROM sequences) listed
           WINDOW s AS (PARTITION BY merchant_id, schedule_id)) numbered
     WHERE event_id IS NOT NULL ORDER BY position RETURNING 1`,
    [
      events.map((e) => e.merchantId),
      eventIds,
      ...columns(events, 'kind', 'scheduleId', 'subjectId'),
      events.map((event, i) => bodyOf(vault, eventIds[i] ?? '', event)),
      at,
    ],
  );
  const appended = events.map(({ merchantId, kind, subjectId, data }, i) => ({
    merchantId,
    eventId: eventIds[i] ?? '',
    kind,
    subjectId,
    data,
  }));
  await fanOut(tx, at, appended);
  return eventIds;
}
