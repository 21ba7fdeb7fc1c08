import { type Api, type CallOptions, segment } from '../api.ts';
import type { Reply } from '../reply.ts';
import type {
  EventQuery,
  FollowEventsQuery,
  RecollectEvent,
  RecollectEventDetail,
  Replay,
  Replayed,
} from '../types.ts';
import { type Followed, type FollowOptions, follow } from './feed.ts';
import { type ListPromise, listOf } from './list.ts';

export class Events {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Lists events. `delivery: 'undelivered'` selects those that did not arrive. */
  list(query?: EventQuery, options?: CallOptions): ListPromise<RecollectEvent> {
    return listOf(this.#api, '/api/v1/events', query, options);
  }

  /**
   * Follows the feed: every event once, in one order that never changes. Awaited, it is one page; iterated (`for await`), it is
   * every event from there on, and those that are still to come, for as long as the loop runs. Keep each event's `cursor` with
   * what you did about it, and begin again from it.
   */
  follow(query?: FollowEventsQuery, options?: FollowOptions): Followed {
    return follow(this.#api, query, options);
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
