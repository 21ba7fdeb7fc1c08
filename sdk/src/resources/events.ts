import { type Api, type CallOptions, segment } from '../api.ts';
import type { Reply } from '../reply.ts';
import type { EventKind } from '../webhooks/webhook-events.ts';
import type { CreatedSort, ListQuery, SpanQuery } from '../wire.ts';
import { type ListPromise, listOf } from './list.ts';

/** The delivery of an event to one endpoint. `held`: the endpoint was disabled; a replay sends it. */
export interface Delivery {
  id: string;
  endpoint_id: string;
  endpoint_url: string;
  status: 'pending' | 'delivered' | 'failed' | 'held';
  attempt_count: number;
  next_attempt_at: string | null;
  finished_at: string | null;
}

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  number: number;
  /** Resent on request. */
  manual: boolean;
  response_status: number | null;
  /** The first 4 KB. */
  response_body: string | null;
  /** Why it did not count as delivered, such as `204: only 200 acknowledges`. */
  error: string | null;
  duration_ms: number;
  at: string;
}

interface EventFields {
  /** The `webhook-id` of every delivery attempt. */
  id: string;
  kind: string;
  schedule_id: string | null;
  /** Counts the schedule's events from 1. */
  sequence: number | null;
  /** The object it is about: a payment, a settlement … */
  subject_id: string;
  created_at: string;
}

/** An event and its deliveries. */
export interface RecollectEvent extends EventFields {
  deliveries: Delivery[];
}

/** An event with every attempt to deliver it. */
export interface RecollectEventDetail extends EventFields {
  /** The exact text that is signed and sent. */
  body: string;
  deliveries: (Delivery & { attempts: DeliveryAttempt[] })[];
}

export interface EventQuery extends ListQuery, SpanQuery {
  /** Only events with an endpoint that has not received them. */
  delivery?: 'undelivered';
  kind?: EventKind;
  schedule_id?: string;
  sort?: CreatedSort;
}

export interface Replay {
  endpoint_id: string;
  /** ISO 8601 with an offset or Z; included. */
  from: string;
  /** ISO 8601 with an offset or Z; not included. */
  to: string;
  /** False: includes delivered events. Default: true. */
  only_undelivered?: boolean;
}

/**
 * `next_from`: where to continue if there were more events than one call replays. `archived_before`: events from before this
 * moment may be in the archive, and are then not sent; null: none of the range is.
 */
export interface Replayed {
  endpoint_id: string;
  replayed: number;
  next_from: string | null;
  archived_before: string | null;
}

export class Events {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Lists events. `delivery: 'undelivered'` selects those that did not arrive. */
  list(query?: EventQuery, options?: CallOptions): ListPromise<RecollectEvent> {
    return listOf(this.#api, '/api/v1/events', query, options);
  }

  get(id: string, options?: CallOptions): Reply<RecollectEventDetail> {
    return this.#api.send({ method: 'GET', path: `/api/v1/events/${segment(id)}` }, options);
  }

  /** Resends an event under the same `webhook-id`, to one endpoint or to all that should have received it. */
  resend(
    id: string,
    to: { endpoint_id?: string } = {},
    options?: CallOptions,
  ): Reply<RecollectEventDetail> {
    return this.#api.send(
      { method: 'POST', path: `/api/v1/events/${segment(id)}/resend`, body: to },
      options,
    );
  }

  /** Resends a range of events to one endpoint, oldest first. */
  replay(range: Replay, options?: CallOptions): Reply<Replayed> {
    return this.#api.send({ method: 'POST', path: '/api/v1/events/replay', body: range }, options);
  }
}
