import Type, { type Static } from 'typebox';
import {
  Described,
  Id,
  Instant,
  NamedObject,
  OrNull,
  Text,
} from '../platform/http/schemas/schemas.ts';

const at = Described(Instant, 'When it happened, in the sandbox’s time.');
const KIND = { description: 'What happened.' };

/** Something that happened to a merchant. `at` is business time. */
export const HappeningView = Type.Union([
  NamedObject(
    'StateChangeHappening',
    {
      at,
      kind: Type.Literal('state_change', KIND),
      object_id: Text('The id of what changed: a schedule, a payment, a settlement …'),
      schedule_id: OrNull(Type.String(), 'The schedule that it belongs to. Null: to none.'),
      from: OrNull(Type.String(), 'The state before. Null: it is new.'),
      to: Text('The state after.'),
      reason: Text('Why it changed.'),
    },
    'Something of yours changed its state.',
  ),
  NamedObject(
    'EventHappening',
    {
      at,
      kind: Type.Literal('event', KIND),
      event_id: Id('evt', 'The event’s id.'),
      event: Text('The kind of the event, such as `collection.success`.'),
      subject_id: Text('The id of the object that it is about.'),
    },
    'An event occurred.',
  ),
  NamedObject(
    'DeliveryHappening',
    {
      at,
      kind: Type.Literal('delivery_attempt', KIND),
      event_id: Id('evt', 'The event that was sent.'),
      endpoint_id: Id('end', 'The endpoint that it was sent to.'),
      number: Type.Integer({ description: 'Counts the attempts of the delivery from 1.' }),
      response_status: OrNull(Type.Integer(), 'The HTTP status. Null: there was no response.'),
      error: OrNull(Type.String(), 'Why it does not count as delivered. Null: it does.'),
    },
    'An event was sent to a webhook endpoint.',
  ),
]);

export type Happening = Static<typeof HappeningView>;
