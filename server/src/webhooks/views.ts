import Type, { type Static } from 'typebox';
import { Id, Instant, NamedObject, OneOf, OrNull } from '../platform/http/schemas/schemas.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { activatesAt, EVENT_KINDS } from './endpoint.ts';
import type { AttemptRow, DeliveryRow, EventRow } from './event-store.ts';
import type { EndpointRow, Missing } from './store.ts';

export const EventKinds = Type.Array(OneOf(EVENT_KINDS), {
  minItems: 1,
  maxItems: EVENT_KINDS.length,
  uniqueItems: true,
  description:
    'The event kinds that this endpoint gets. Default: set-up, collection and settlement, each succeeded and failed. ' +
    'Without `schedule.cancelled` and `consent.revoked` a withdrawal of the customer is never heard of.',
});

const endpointFields = {
  id: Id('end'),
  url: Type.String({ examples: ['https://example.com/webhooks'] }),
  description: Type.String(),
  event_kinds: Type.Array(Type.String()),
  status: OneOf(['enabled', 'disabled'] as const),
  held: Type.Integer({
    minimum: 0,
    description: 'Deliveries that were held back while it was disabled; replay sends them.',
  }),
  undelivered: Type.Integer({
    description: 'Deliveries that have failed at least once and were not acknowledged since.',
  }),
  next_secret_activates_at: OrNull(Instant),
  created_at: Instant,
  updated_at: Instant,
};

export const EndpointView = Type.Object(endpointFields, {
  title: 'WebhookEndpoint',
  description: 'Where a merchant gets its events.',
});

export const EndpointWithSecret = Type.Object(
  {
    ...endpointFields,
    secret: Type.String({ description: 'Shown once.', examples: ['whsec_…'] }),
  },
  {
    title: 'WebhookEndpointWithSecret',
    description: 'An endpoint, and the secret that was just made for it.',
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
  id: Id('del'),
  endpoint_id: Id('end'),
  endpoint_url: Type.String(),
  status: OneOf(['pending', 'delivered', 'failed', 'held'] as const),
  attempt_count: Type.Integer({ minimum: 0 }),
  next_attempt_at: OrNull(Instant),
  finished_at: OrNull(Instant),
};

const DeliveryView = Type.Object(deliveryFields, {
  title: 'Delivery',
  description: 'An event for one endpoint.',
});

const AttemptView = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    manual: Type.Boolean({ description: 'Sent again because somebody asked.' }),
    response_status: OrNull(Type.Integer()),
    response_body: OrNull(Type.String({ description: 'The first 4 KB.' })),
    error: OrNull(
      Type.String({
        description: 'Why it did not count.',
        examples: ['204: only 200 acknowledges'],
      }),
    ),
    duration_ms: Type.Integer({ minimum: 0 }),
    at: Instant,
  },
  { title: 'DeliveryAttempt', description: 'One sending.' },
);

const eventFields = {
  id: Id('evt', 'The `webhook-id` of every sending.'),
  kind: Type.String({ examples: ['collection.success'] }),
  schedule_id: OrNull(Id('sch')),
  sequence: OrNull(Type.Integer({ description: "Counts the schedule's events from 1." })),
  subject_id: Type.String({ description: 'What it tells of: a payment, a settlement …' }),
  created_at: Instant,
};

export const EventView = Type.Object(
  { ...eventFields, deliveries: Type.Array(DeliveryView) },
  { title: 'Event', description: 'Something that happened, and where it was told.' },
);

export const EventDetailView = Type.Object(
  {
    ...eventFields,
    body: Type.String({ description: 'Exactly the bytes that are signed and sent.' }),
    deliveries: Type.Array(
      NamedObject('DeliveryDetail', { ...deliveryFields, attempts: Type.Array(AttemptView) }),
    ),
  },
  { title: 'EventDetail', description: 'An event with every attempt to deliver it.' },
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

function common(row: EventRow) {
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
  return { ...common(row), deliveries: own.map(deliveryView) };
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
    ...common(row),
    body: row.body,
    deliveries: deliveries.map((d) => ({ ...deliveryView(d), attempts: attemptsOf(d) })),
  };
}
