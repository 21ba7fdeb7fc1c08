import Type from 'typebox';
import { type Route, route } from '../platform/http/calls/route.ts';
import {
  CREATED_SORTS,
  IdQuery,
  readSpan,
  SortBy,
  SpanOf,
  WRONG_INSTANT,
} from '../platform/http/lists/list-filters.ts';
import { mapList, pageOf } from '../platform/http/lists/page.ts';
import {
  Described,
  Fields,
  Id,
  IdParams,
  Instant,
  InstantInput,
  ListOf,
  ListQuery,
  OneOf,
  OrNull,
} from '../platform/http/schemas/schemas.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import { archivedBefore } from '../platform/retention/archived-store.ts';
import { openEventBody } from '../platform/state/events.ts';
import { formatInstant, parseInstant } from '../platform/time/calendar.ts';
import { isBefore } from '../platform/values/instants.ts';
import { EVENT_KINDS, TEST_EVENT_KIND } from './endpoint.ts';
import {
  attemptsOf,
  deliveriesOf,
  type EventFilter,
  findEvent,
  listEvents,
} from './event-store.ts';
import { MAX_REPLAYED, noEvent, replayEvents, resendEvent } from './resend.ts';
import { EventDetailView, EventView, eventDetailView, eventView } from './views.ts';

const PATH = '/api/v1/events';
const tag = 'Events';

async function detail({ vault }: Platform, { tx, merchantId }: Asked, eventId: string) {
  const row = await findEvent(tx, merchantId, eventId);
  if (row === null) throw await noEvent(tx, eventId);
  const deliveries = await deliveriesOf(tx, merchantId, [eventId]);
  const ids = deliveries.map((delivery) => delivery.deliveryId);
  const body = openEventBody(vault, eventId, row.body);
  return eventDetailView({ ...row, body }, deliveries, await attemptsOf(tx, merchantId, ids));
}

const EventQuery = Fields({
  ...ListQuery.properties,
  delivery: Type.Optional(
    OneOf(
      ['undelivered'] as const,
      'Only events that have not arrived: an endpoint has not acknowledged them, or no endpoint has got them yet.',
    ),
  ),
  kind: Type.Optional(OneOf([...EVENT_KINDS, TEST_EVENT_KIND], 'Only events of this kind.')),
  schedule_id: IdQuery('Only events about this schedule.'),
  ...SpanOf('created_at'),
  sort: SortBy(CREATED_SORTS),
});

function reading(platform: Platform): Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      summary: 'List the events',
      description:
        'The newest first, unless sorted otherwise. Old events may be in the archive, and are not listed then.',
      tag,
      operationId: 'listEvents',
      scope: 'webhooks',
      permission: 'read',
      query: EventQuery,
      response: ListOf(EventView),
      handle: async (call) => {
        const { tx, merchantId, query } = call;
        const { kind, schedule_id: scheduleId, delivery, sort } = query;
        const filter: EventFilter = {
          ...readSpan(query),
          sort,
          undelivered: delivery !== undefined,
          ...(kind === undefined ? {} : { kind }),
          ...(scheduleId === undefined ? {} : { scheduleId }),
        };
        const page = await listEvents(tx, merchantId, filter, pageOf(call));
        const ids = page.data.map((row) => row.eventId);
        const deliveries = await deliveriesOf(tx, merchantId, ids);
        return mapList(page, (row) => eventView(row, deliveries));
      },
    }),
    route({
      method: 'GET',
      path: `${PATH}/:id`,
      summary: 'Get an event with its deliveries',
      description:
        'With every attempt to deliver it: the response, how long it took, and why it did not count.',
      tag,
      operationId: 'getEvent',
      scope: 'webhooks',
      permission: 'read',
      params: IdParams,
      response: EventDetailView,
      errors: ['not_found'],
      handle: (call) => detail(platform, call, call.params.id),
    }),
  ];
}

const EndpointId = (description: string) =>
  Type.String({ ...Id('end', description), minLength: 1, maxLength: 64 });

const ResendBody = Fields(
  {
    endpoint_id: Type.Optional(
      EndpointId('Only to this endpoint. Default: every enabled one that should have it.'),
    ),
  },
  'Where an event is sent again.',
);

const ReplayBody = Fields(
  {
    endpoint_id: EndpointId('The endpoint that the events are sent to.'),
    from: Described(
      InstantInput,
      'Only events that occurred at this moment or later. ISO 8601 with an offset or Z.',
    ),
    to: {
      ...InstantInput,
      description: 'Only events that occurred before this moment. ISO 8601 with an offset or Z.',
      examples: ['2099-05-01T09:00:00+01:00'],
    },
    only_undelivered: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether only what has not arrived is sent. False: what has arrived too.',
      }),
    ),
  },
  'Which events are sent again, and to which endpoint.',
);

/** Returns the wrong instants of a replay's range. */
function checkRange(body: unknown): Record<string, string> {
  const given = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const read = (name: string): Temporal.Instant | null =>
    typeof given[name] === 'string' ? parseInstant(given[name]) : null;
  const wrong: Record<string, string> = {};
  for (const name of ['from', 'to'])
    if (typeof given[name] === 'string' && read(name) === null) wrong[name] = WRONG_INSTANT;
  const [from, to] = [read('from'), read('to')];
  if (from !== null && to !== null && !isBefore(from, to)) wrong.to = 'must be after from';
  return wrong;
}

/** Parses an instant that `checkRange` has accepted. */
function checked(text: string): Temporal.Instant {
  const instant = parseInstant(text);
  if (instant === null) throw new Error('an unchecked instant');
  return instant;
}

function acting(platform: Platform): Route[] {
  return [
    route({
      method: 'POST',
      path: `${PATH}/:id/resend`,
      summary: 'Send an event again',
      description:
        'To one endpoint, or to every enabled one that had it or subscribes to its kind now. It is a new attempt of the ' +
        'same event, under the same `webhook-id`, with all its retries. Refused where no enabled endpoint gets it.',
      tag,
      operationId: 'resendEvent',
      scope: 'webhooks',
      permission: 'manage_webhooks',
      proof: 'never',
      params: IdParams,
      body: ResendBody,
      response: EventDetailView,
      errors: ['not_found', 'endpoint_not_enabled'],
      handle: async (call) => {
        await resendEvent(platform, call, call.params.id, call.body.endpoint_id);
        return detail(platform, call, call.params.id);
      },
    }),
    route({
      method: 'POST',
      path: `${PATH}/replay`,
      summary: 'Send a range of events again',
      description:
        'Sends one endpoint what was held, what failed and what it never got: events between `from` and `to`, of the kinds ' +
        `that it subscribes to, the oldest first, at most ${MAX_REPLAYED.toLocaleString('en-GB')} in one call. Refused while the endpoint is disabled.`,
      tag,
      operationId: 'replayEvents',
      scope: 'webhooks',
      permission: 'manage_webhooks',
      proof: 'never',
      body: ReplayBody,
      response: Type.Object(
        {
          endpoint_id: Id('end', 'The endpoint that the events are sent to.'),
          replayed: Type.Integer({ description: 'How many events are on their way.' }),
          next_from: OrNull(
            Instant,
            'The `from` to continue with, where there are more events than one call sends. Null: there are no more.',
          ),
          archived_before: OrNull(
            Instant,
            'Events from before this moment may be in the archive, and are not sent then. Null: none of the range is.',
          ),
        },
        { description: 'How many events are sent again, and where to continue.' },
      ),
      check: checkRange,
      errors: ['not_found', 'endpoint_not_enabled'],
      handle: async (call) => {
        const { body } = call;
        const range = {
          endpointId: body.endpoint_id,
          from: checked(body.from),
          to: checked(body.to),
          onlyUndelivered: body.only_undelivered ?? true,
        };
        const { replayed, nextFrom } = await replayEvents(platform, call, range);
        const next = formatInstant(nextFrom);
        const archived = await archivedBefore(call.tx);
        const isTouched = archived !== null && isBefore(range.from, archived);
        return {
          endpoint_id: body.endpoint_id,
          replayed,
          next_from: next,
          archived_before: isTouched ? formatInstant(archived) : null,
        };
      },
    }),
  ];
}

/** Returns the routes under `/api/v1/events`. */
export function eventRoutes(platform: Platform): Route[] {
  return [...reading(platform), ...acting(platform)];
}
