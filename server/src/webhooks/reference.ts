import Type, { type TSchema } from 'typebox';
import { Id } from '../platform/http/schemas/schemas.ts';
import type { EventDescriptions } from '../platform/state/events.ts';
import { type EventKind, TEST_EVENT_KIND } from './endpoint.ts';

export const TEST_EVENT = {
  [TEST_EVENT_KIND]: {
    description: 'Somebody tries the endpoint out',
    data: Type.Object({ endpoint_id: Id('end'), url: Type.String(), message: Type.String() }),
  },
} satisfies EventDescriptions;

const header = (name: string, description: string, required = true): object => ({
  in: 'header',
  name,
  required,
  schema: { type: 'string' },
  description,
});

const HEADERS = [
  header(
    'webhook-id',
    "The event's id, the same whenever it is sent: use it to recognise repeats.",
  ),
  header('webhook-timestamp', 'When it was signed, in Unix seconds.'),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and base64 of HMAC-SHA256, one for each secret.',
  ),
  header('X-Service-Signature', '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of the raw body.'),
  header('X-Service-Sequence', 'Counts the events of a schedule from 1.', false),
  header('X-Sandbox-Time', 'The time of the sandbox; absent live.', false),
];

/** Derives the operation id of an event kind: `collection.success` becomes `collectionSuccess`. */
const operationId = (kind: string): string =>
  kind.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the schema of a webhook's body; it and its data are components named after the kind. */
function body(kind: string, data: TSchema): TSchema {
  const name = operationId(kind).replace(/^./, (letter) => letter.toUpperCase());
  const fields = { event: Type.Literal(kind), data: { title: `${name}Data`, ...data } };
  return Type.Object(fields, { title: `${name}Event` });
}

/** Describes the webhooks for the OpenAPI document, one per event kind: docs/rules/webhooks.md#event-kinds. */
export function describeWebhooks(events: EventDescriptions<EventKind>): Record<string, object> {
  const all: EventDescriptions = { ...events, ...TEST_EVENT };
  return Object.fromEntries(
    Object.entries(all).map(([kind, { description, data }]) => [
      kind,
      {
        post: {
          operationId: operationId(kind),
          summary: kind,
          description: `${description}.`,
          tags: ['Webhooks'],
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: body(kind, data) } },
          },
          responses: {
            200: {
              description: 'Acknowledged. After any other answer, or none, it is sent again.',
            },
          },
        },
      },
    ]),
  );
}
