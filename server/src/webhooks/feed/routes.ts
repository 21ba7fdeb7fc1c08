import Type, { type Static } from 'typebox';
import { type Route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import { Fields, ListQuery, Text } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { openEventBody } from '../../platform/state/events.ts';
import { eventBase, eventFields } from '../views.ts';
import { cursorOf, FeedHorizon, readFeed } from './follow.ts';
import type { FeedRow } from './store.ts';

const FeedEventView = Type.Object(
  {
    ...eventFields,
    body: Text('The exact text that webhooks sign and send.'),
    cursor: Text('Where this event stands: `after` takes it, and goes on behind the event.'),
  },
  { title: 'FeedEvent', description: 'An event with its place in the feed.' },
);

const FeedView = Type.Object(
  {
    data: Type.Array(FeedEventView, { description: 'The next events, in the order of the feed.' }),
    next_cursor: Text('What `after` takes next, also where nothing has come.'),
    has_more: Type.Boolean({
      description: 'Whether more events are there already. If not, ask again in a few seconds.',
    }),
  },
  { title: 'EventFeed', description: 'A part of the feed of events, and where it goes on.' },
);

const FeedQuery = Fields({
  limit: ListQuery.properties.limit,
  after: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Where to go on: the `cursor` of an event, or a `next_cursor`. `start` is the beginning, and the default.',
    }),
  ),
});

/** Returns the route of the feed: docs/rules/webhooks.md#the-feed. */
export function feedRoutes(platform: Platform): Route[] {
  const horizon = new FeedHorizon(platform.db);
  const view = (row: FeedRow): Static<typeof FeedEventView> => ({
    ...eventBase(row),
    body: openEventBody(platform.vault, row.eventId, row.body),
    cursor: cursorOf(row),
  });
  return [
    routeWithOwnTransactions({
      method: 'GET',
      path: '/api/v1/events/feed',
      summary: 'Follow the events',
      description:
        'Every event once, in one order that never changes: the order for a program that follows along, with or without ' +
        'webhooks. An event shows as soon as no earlier one can come any more. Keep `next_cursor` with what you did about the ' +
        'events, and go on from it. 410 `cursor_gone` where its event is in the archive, or lost with a restore: begin again ' +
        'with `start`, and skip the ids that you have.',
      tag: 'Events',
      operationId: 'followEvents',
      scope: 'webhooks',
      permission: 'read',
      query: FeedQuery,
      response: FeedView,
      errors: ['not_found', 'cursor_gone'],
      handle: async ({ merchantId, query }) => {
        const { rows, next, hasMore } = await readFeed(platform, horizon, merchantId, query);
        return { data: rows.map(view), next_cursor: next, has_more: hasMore };
      },
    }),
  ];
}
