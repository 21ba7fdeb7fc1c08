import type { Api, CallOptions } from '../api.ts';
import type { Reply } from '../reply.ts';
import { pause } from '../retries.ts';
import type { EventFeed, FeedEvent, FollowEventsQuery } from '../types.ts';
import type { WebhookEvent } from '../wire.ts';

export interface FollowOptions extends CallOptions {
  /** How long to wait before asking again where no more events are there, in milliseconds. Default: 5,000. */
  pollMs?: number;
}

/** An event of the feed; `webhook` is its body as webhooks carry it, `event` and `data`. */
export type FollowedEvent = FeedEvent & { webhook: WebhookEvent };

/** A feed that was asked for: one page when awaited, all events when iterated. */
export type Followed = Reply<EventFeed> & AsyncIterable<FollowedEvent>;

const PATH = '/api/v1/events/feed';
const PAGE = 100;
const POLL_MS = 5_000;

/** Requests the feed: the first page immediately, what follows during iteration. */
export function follow(
  api: Api,
  query: FollowEventsQuery = {},
  { pollMs = POLL_MS, ...options }: FollowOptions = {},
): Followed {
  const fetchPage = (after: string): Reply<EventFeed> =>
    api.send({ method: 'GET', path: PATH, query: { limit: PAGE, ...query, after } }, options);
  const first = fetchPage(query.after ?? 'start');
  const wait = (): Promise<void> => pause(pollMs, options.signal);
  return Object.assign(first, {
    [Symbol.asyncIterator]: () => eventsOf(first, fetchPage, wait),
  });
}

async function* eventsOf(
  first: Promise<EventFeed>,
  fetchPage: (after: string) => Promise<EventFeed>,
  wait: () => Promise<void>,
): AsyncGenerator<FollowedEvent, void, undefined> {
  let page = await first;
  for (;;) {
    for (const event of page.data)
      yield { ...event, webhook: JSON.parse(event.body) as WebhookEvent };
    if (!page.has_more) await wait();
    page = await fetchPage(page.next_cursor);
  }
}
