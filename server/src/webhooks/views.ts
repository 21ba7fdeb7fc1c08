import Type, { type Static } from 'typebox';
import {
  Described,
  Id,
  Instant,
  KnownWord,
  NamedObject,
  OneOf,
  OrNull,
  Text,
} from '../platform/http/schemas/schemas.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { activatesAt, EVENT_KINDS, TEST_EVENT_KIND } from './endpoint.ts';
import type { AttemptRow, DeliveryRow, EventRow } from './event-store.ts';
import type { EndpointRow, Missing } from './store.ts';

export const EventKinds = Type.Array(OneOf(EVENT_KINDS), {
  minItems: 1,
  maxItems: EVENT_KINDS.length,
  uniqueItems: true,
  description:
    'The kinds of events that the endpoint gets. Unless you name them, it gets six: `success` and `failed` of ' +
    '`schedule.setup_…`, `collection.…` and `settlement.…`. Add `schedule.cancelled` and `consent.revoked`, or you are ' +
    'not told when a customer withdraws.',
});

export const EndpointStatus = OneOf(
  ['enabled', 'disabled'] as const,
  '`enabled`: events are sent. `disabled`: they are held back until they are replayed.',
);

const endpointFields = {
  id: Id('end', 'The endpoint’s id.'),
  url: Type.String({
    description: 'Where events are sent to.',
    examples: ['https://example.com/webhooks'],
  }),
  description: Text('What it is for, in your own words; empty if you said nothing.'),
  event_kinds: Type.Array(Type.String(), { description: 'The kinds of events that it gets.' }),
  status: EndpointStatus,
  held: Type.Integer({
    minimum: 0,
    description: 'How many deliveries were held back while it was disabled. A replay sends them.',
  }),
  undelivered: Type.Integer({
    description: 'How many deliveries have failed at least once, and were not acknowledged since.',
  }),
  next_secret_activates_at: OrNull(
    Instant,
    'When the new secret is activated automatically. Null: there is no new secret.',
  ),
  created_at: Described(Instant, 'When it was created.'),
  updated_at: Described(Instant, 'When it was last changed.'),
};

export const EndpointView = Type.Object(endpointFields, {
  title: 'WebhookEndpoint',
  description: 'An address of yours that gets events.',
});

export const EndpointWithSecret = Type.Object(
  {
    ...endpointFields,
    secret: Type.String({
      description: 'The new secret that signs its webhooks. Only this response has it.',
      examples: ['whsec_…'],
    }),
  },
  {
    title: 'WebhookEndpointWithSecret',
    description: 'An endpoint, with its new secret.',
  },
);

const NOTHING_MISSING: Missing = { held: 0, undelivered: 0 };

/** Returns an endpoint as the API shows it; `missing`: what it has not got. */
export function endpointView(
  row: EndpointRow,
  { held, undelivered }: Missing = NOTHING_MISSING,
): Static<typeof EndpointView> {
  return {
    id: row.endpointId,
    url: row.url,
    description: row.description,
    event_kinds: row.eventKinds,
    status: row.status === 'enabled' ? 'enabled' : 'disabled',
    held,
    undelivered,
    next_secret_activates_at:
      row.nextSecretAt === null ? null : formatInstant(activatesAt(row.nextSecretAt)),
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  };
}

const deliveryFields = {
  id: Id('del', 'The delivery’s id.'),
  endpoint_id: Id('end', 'The endpoint.'),
  endpoint_url: Text('The endpoint’s present address.'),
  status: OneOf(
    ['pending', 'delivered', 'failed', 'held'] as const,
    '`pending`: it is to be sent, or waits for a retry. `delivered`: the endpoint acknowledged it with 200. `failed`: all ' +
      'retries are used, or the endpoint was deleted. `held`: the endpoint was disabled; a replay sends it.',
  ),
  attempt_count: Type.Integer({ minimum: 0, description: 'How many times it was sent.' }),
  next_attempt_at: OrNull(Instant, 'When it is sent next. Null: it is not `pending`.'),
  finished_at: OrNull(Instant, 'When it was acknowledged, or failed for good. Null: neither.'),
};

const DeliveryView = Type.Object(deliveryFields, {
  title: 'Delivery',
  description: 'The delivery of an event to one endpoint.',
});

const AttemptView = Type.Object(
  {
    number: Type.Integer({
      minimum: 1,
      description: 'Counts the attempts of the delivery from 1.',
    }),
    manual: Type.Boolean({ description: 'It was sent again because somebody asked for it.' }),
    response_status: OrNull(Type.Integer(), 'The HTTP status. Null: there was no response.'),
    response_body: OrNull(Type.String(), 'The first 4 KB of the response. Null: none is kept.'),
    error: OrNull(
      Type.String({ examples: ['204: only 200 acknowledges'] }),
      'Why it does not count as delivered. Null: it does.',
    ),
    duration_ms: Type.Integer({ minimum: 0, description: 'How long it took, in milliseconds.' }),
    at: Described(Instant, 'When it was sent.'),
  },
  { title: 'DeliveryAttempt', description: 'One attempt to deliver an event to an endpoint.' },
);

/** What every form of an event has. */
export const eventFields = {
  id: Id('evt', 'The event’s id, which every delivery carries as `webhook-id`.'),
  kind: KnownWord(
    'EventKind',
    [...EVENT_KINDS, TEST_EVENT_KIND],
    'What happened. Kinds may be added.',
  ),
  schedule_id: OrNull(Id('sch'), 'The schedule that it is about. Null: it is about none.'),
  sequence: OrNull(
    Type.Integer(),
    'Counts the events of the schedule from 1. Null: it is about none.',
  ),
  subject_id: Text('The id of the object that it is about: a payment, a refund, a settlement …'),
  created_at: Described(Instant, 'When it happened.'),
};

export const EventView = Type.Object(
  {
    ...eventFields,
    deliveries: Type.Array(DeliveryView, { description: 'One for each endpoint that it is for.' }),
  },
  { title: 'Event', description: 'Something that happened, and its deliveries.' },
);

export const EventDetailView = Type.Object(
  {
    ...eventFields,
    body: Text('The exact text that is signed and sent.'),
    deliveries: Type.Array(
      NamedObject(
        'DeliveryDetail',
        {
          ...deliveryFields,
          attempts: Type.Array(AttemptView, {
            description: 'Every attempt, the first one first.',
          }),
        },
        'The delivery of an event to one endpoint, with its attempts.',
      ),
      { description: 'One for each endpoint that it is for.' },
    ),
  },
  { title: 'EventDetail', description: 'An event, with every attempt to deliver it.' },
);

function deliveryView(row: DeliveryRow): Static<typeof DeliveryView> {
  return {
    id: row.deliveryId,
    endpoint_id: row.endpointId,
    endpoint_url: row.url,
    status: row.status,
    attempt_count: row.attempts,
    next_attempt_at: formatInstant(row.dueAt),
    finished_at: formatInstant(row.finishedAt),
  };
}

function attemptView(row: AttemptRow): Static<typeof AttemptView> {
  return {
    number: row.number,
    manual: row.manual,
    response_status: row.responseStatus,
    response_body: row.responseBody,
    error: row.error,
    duration_ms: row.durationMs,
    at: formatInstant(row.at),
  };
}

/** Returns what every form of an event shows. */
export function eventBase(row: EventRow) {
  return {
    id: row.eventId,
    kind: row.kind,
    schedule_id: row.scheduleId,
    sequence: row.sequence,
    subject_id: row.subjectId,
    created_at: formatInstant(row.createdAt),
  };
}

/** Returns an event of a list, with those of these deliveries that are its own. */
export function eventView(
  row: EventRow,
  deliveries: readonly DeliveryRow[],
): Static<typeof EventView> {
  const own = deliveries.filter((d) => d.eventId === row.eventId);
  return { ...eventBase(row), deliveries: own.map(deliveryView) };
}

/** Returns one event with its deliveries and their attempts. */
export function eventDetailView(
  row: EventRow,
  deliveries: readonly DeliveryRow[],
  attempts: readonly AttemptRow[],
): Static<typeof EventDetailView> {
  const attemptsOf = (d: DeliveryRow) =>
    attempts.filter((a) => a.deliveryId === d.deliveryId).map(attemptView);
  return {
    ...eventBase(row),
    body: row.body,
    deliveries: deliveries.map((d) => ({ ...deliveryView(d), attempts: attemptsOf(d) })),
  };
}
