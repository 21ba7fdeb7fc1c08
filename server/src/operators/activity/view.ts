import Type, { type Static } from 'typebox';
import { Instant, NamedObject, OrNull } from '../../platform/http/schemas/schemas.ts';
import { readActor, WHOLE_SERVICE } from '../../platform/state/actor.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import type { Change } from './store.ts';

/** A change that an operator made, in responses. */
export const ChangeView = NamedObject('OperatorChange', {
  at: Instant,
  operator: Type.String(),
  action: Type.String({ examples: ['suspended'], description: 'The new state of the object.' }),
  object_id: Type.String({ description: 'A merchant, payment, bank, key …' }),
  merchant_id: OrNull(Type.String({ description: 'Null: it is about the whole service.' })),
  from: OrNull(Type.String({ description: 'The state before, where there was one.' })),
  reason: Type.String(),
});
export type ChangeView = Static<typeof ChangeView>;

/** Returns a change as operators see it. */
export const viewChange = (change: Change): ChangeView => ({
  at: formatInstant(change.at),
  operator: readActor(change.actor).name,
  action: change.toState,
  object_id: change.objectId,
  merchant_id: change.merchantId === WHOLE_SERVICE ? null : change.merchantId,
  from: change.fromState,
  reason: change.reason,
});
