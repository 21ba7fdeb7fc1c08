import { type Api, type CallOptions, segment } from './api.ts';
import { type ListPromise, listOf } from './list.ts';
import type { EventKind } from './webhook-events.ts';
import type { ListQuery } from './wire.ts';

/** An event on its way to one endpoint. `held`: the endpoint was disabled; a replay sends it. */
export interface Delivery {
  id: string;
  endpoint_id: string;
  endpoint_url: string;
  status: 'pending' | 'delivered' | 'failed' | 'held';
  attempt_count: number;
  next_attempt_at: string | null;
  finished_at: string | null;
}

/** One sending of an event. */
export interface DeliveryAttempt {
  number: number;
  /** Sent again because somebody asked. */
  manual: boolean;
  response_status: number | null;
  /** The first 4 KB. */
  response_body: string | null;
  /** Why it did not count, such as `204: only 200 acknowledges`. */
  error: string | null;
  duration_ms: number;
  at: string;
}

interface EventFields {
  /** The `webhook-id` of every sending. */
  id: string;
  kind: string;
  schedule_id: string | null;
  /** Counts the schedule's events from 1. */
  sequence: number | null;
  /** What it tells of: a payment, a settlement … */
  subject_id: string;
  created_at: string;
}

/** Something that happened, and where it was told. */
export interface RecollectEvent extends EventFields {
  deliveries: Delivery[];
}

/** An event with every attempt to deliver it. */
export interface RecollectEventDetail extends EventFields {
  /** Exactly the text that is signed and sent. */
  body: string;
  deliveries: (Delivery & { attempts: DeliveryAttempt[] })[];
}

export interface EventQuery extends ListQuery {
  /** Only what has not arrived where it should have. */
  delivery?: 'undelivered';
  kind?: EventKind;
  schedule_id?: string;
  /** ISO 8601 with an offset or Z; included. */
  from?: string;
  /** ISO 8601 with an offset or Z; not included. */
  to?: string;
}

export interface Replay {
  endpoint_id: string;
  /** ISO 8601 with an offset or Z; included. */
  from: string;
  /** ISO 8601 with an offset or Z; not included. */
  to: string;
  /** False: also what arrived. Default: true. */
  only_undelivered?: boolean;
}

/** `next_from`: where to go on, when there were more events than one call replays. */
export interface Replayed {
  endpoint_id: string;
  replayed: number;
  next_from: string | null;
}

export class Events {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** With `delivery: 'undelivered'` it answers "what did not arrive?". */
  list(query?: EventQuery, options?: CallOptions): ListPromise<RecollectEvent> {
    return listOf(this.#api, '/api/v1/events', query, options);
  }

  get(id: string, options?: CallOptions): Promise<RecollectEventDetail> {
    return this.#api.send({ method: 'GET', path: `/api/v1/events/${segment(id)}` }, options);
  }

  /** Sends an event again, to one endpoint or to all that should have it, under the same `webhook-id`. */
  resend(
    id: string,
    to: { endpoint_id?: string } = {},
    options?: CallOptions,
  ): Promise<RecollectEventDetail> {
    return this.#api.send(
      { method: 'POST', path: `/api/v1/events/${segment(id)}/resend`, body: to },
      options,
    );
  }

  /** Sends a range of events to one endpoint again, oldest first. */
  replay(range: Replay, options?: CallOptions): Promise<Replayed> {
    return this.#api.send({ method: 'POST', path: '/api/v1/events/replay', body: range }, options);
  }
}
