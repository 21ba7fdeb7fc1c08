import Type, { type Static } from 'typebox';
import { Instant, OneOf, OrNull } from '../../platform/http/schemas.ts';
import { Actor } from '../actor.ts';
import { CursorListOf } from '../cursor-list.ts';
import { SUBJECT_NAMES } from './words.ts';

/** Those whose changes are listed: people, their software, and the customers. */
export const ACTORS = ['member', 'api_key', 'operator', 'customer'] as const;

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
export const ActivityList = CursorListOf(ActivityItem);
export type ActivityItem = Static<typeof ActivityItem>;
export type ActivityList = Static<typeof ActivityList>;
