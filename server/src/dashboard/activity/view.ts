import Type, { type Static } from 'typebox';
import {
  Fields,
  Instant,
  InstantInput,
  ListOf,
  ListQuery,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import { Actor } from '../actor.ts';
import { SUBJECT_NAMES } from './words.ts';

/** The query of the activity log: of people, their software, and the customers. */
export const ActivityQuery = Fields({
  actor_type: Type.Optional(OneOf(['member', 'api_key', 'operator', 'customer'])),
  actor_id: Type.Optional(Type.String({ maxLength: 64 })),
  subject: Type.Optional(OneOf(SUBJECT_NAMES)),
  from: Type.Optional(InstantInput),
  to: Type.Optional(InstantInput),
  ...ListQuery.properties,
});
export type ActivityQuery = Static<typeof ActivityQuery>;

const ActivityItem = Type.Object({
  id: Type.String(),
  at: Instant,
  actor: Actor,
  subject: OrNull(OneOf(SUBJECT_NAMES)),
  object_id: Type.String(),
  schedule_id: OrNull(Type.String()),
  title: Type.String({ description: 'What was done, in a sentence.' }),
  reason: Type.String({ description: 'Why, or what exactly.' }),
});

/** What people did, newest first. */
export const ActivityList = ListOf(ActivityItem);
export type ActivityItem = Static<typeof ActivityItem>;
export type ActivityList = Static<typeof ActivityList>;
