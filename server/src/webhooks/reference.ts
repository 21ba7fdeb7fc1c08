import Type, { type TSchema } from 'typebox';
import { Id, Text } from '../platform/http/schemas/schemas.ts';
import type { EventDescriptions } from '../platform/state/events.ts';
import { type EventKind, TEST_EVENT_KIND } from './endpoint.ts';

export const TEST_EVENT = {
  [TEST_EVENT_KIND]: {
    description: 'you test an endpoint; no other endpoint gets it',
    data: Type.Object({
      endpoint_id: Id('end', 'The endpoint that is tested.'),
      url: Text('Its address.'),
      message: Text('A sentence for whoever reads it.'),
    }),
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
    'The event’s id, the same whenever it is sent: use it to recognise repeats.',
  ),
  header('webhook-timestamp', 'When it was signed, in Unix seconds by the real clock.'),
  header(
    'webhook-signature',
    'The signature of Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; two of them while a new secret waits.',
  ),
  header('X-Service-Signature', '`t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of the raw body.'),
  header(
    'X-Service-Sequence',
    'Counts the events of a schedule from 1: go by it, for events may arrive in another order.',
    false,
  ),
  header('X-Sandbox-Time', 'The time of the sandbox. Absent live.', false),
];

/** Derives the operation id of an event kind: `collection.success` becomes `collectionSuccess`. */
const operationId = (kind: string): string =>
  kind.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the schema of a webhook's body; it and its data are components named after the kind. */
function body(kind: string, { description, data }: EventDescriptions[string]): TSchema {
  const name = operationId(kind).replace(/^./, (letter) => letter.toUpperCase());
  const about = { title: `${name}Data`, description: `The data of \`${kind}\`.` };
  const fields = {
    event: Type.Literal(kind, { description: 'The kind of the event.' }),
    data: { ...about, ...data },
  };
  return Type.Object(fields, { title: `${name}Event`, description: `Sent when ${description}.` });
}

/** Describes the webhooks for the OpenAPI document, one per event kind: docs/rules/webhooks.md#event-kinds. */
export function describeWebhooks(events: EventDescriptions<EventKind>): Record<string, object> {
  const all: EventDescriptions = { ...events, ...TEST_EVENT };
  return Object.fromEntries(
    Object.entries(all).map(([kind, event]) => [
      kind,
      {
        post: {
          operationId: operationId(kind),
          summary: kind,
          description: `Sent when ${event.description}.`,
          tags: ['Webhooks'],
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: body(kind, event) } },
          },
          responses: {
            200: {
              description:
                'Acknowledged. After any other response, or none within 10 seconds, it is sent again.',
            },
          },
        },
      },
    ]),
  );
}
