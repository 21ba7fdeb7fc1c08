import Type, { type Static } from 'typebox';
import { LIVES, type Life, lifeOf } from '../../laws/invariants/lives.ts';
import type { Overdue } from '../../laws/invariants/overdue-store.ts';
import { ageOf } from '../../payments/books/unallocated-view.ts';
import { Id, Instant, NamedObject, OneOf } from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';

const isListed = ({ list }: Life): boolean => list === 'overdue' || list === 'payments';
/** What may be overdue. */
export const NOUNS = [...new Set(LIVES.filter(isListed).map(({ noun }) => noun))];

/** Something that has been in its state for longer than that state permits. */
export const OverdueView = NamedObject('Overdue', {
  noun: OneOf(NOUNS as [string, ...string[]]),
  state: Type.String(),
  id: Type.String(),
  merchant_id: Id('mer'),
  since: Instant,
  age: Type.String({ examples: ['1 day 4 hours'] }),
  limit: Type.String({ description: 'How old it may be.', examples: ['PT24H'] }),
  ends_by: Type.String({ description: "How it ends by an operator's word." }),
});
export type OverdueView = Static<typeof OverdueView>;

/** How many of a noun are overdue in a state. */
export const OverdueStateView = NamedObject('OverdueState', {
  noun: OverdueView.properties.noun,
  state: Type.String(),
  count: Type.Integer({ minimum: 1 }),
  oldest: OverdueView,
});
export type OverdueStateView = Static<typeof OverdueStateView>;

/** Returns something overdue as operators see it. */
export function viewOverdue(one: Overdue, now: Temporal.Instant) {
  const { limit, end } = lifeOf(one.noun, one.state);
  return {
    noun: one.noun,
    state: one.state,
    id: one.id,
    merchant_id: one.merchantId,
    since: formatInstant(one.since),
    age: ageOf(one.since, now),
    limit: limit?.toString() ?? '',
    ends_by: end,
  };
}
