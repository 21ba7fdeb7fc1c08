import Type, { type Static } from 'typebox';
import { IDLE_MINUTES, LONGEST_MINUTES } from '../../merchants/team/access.ts';
import { Fields, OrNull } from '../../platform/http/schemas/schemas.ts';
import { PROOF_FIELDS } from '../proved.ts';

const fields = {
  requires_second_factor: Type.Boolean({
    description: 'Members without a second factor can do nothing until they have set one up.',
  }),
  session_idle_minutes: OrNull(
    Type.Integer({
      minimum: IDLE_MINUTES.least,
      maximum: IDLE_MINUTES.most,
      description: 'How long a session lasts without use; null: 7 days.',
    }),
  ),
  session_longest_minutes: OrNull(
    Type.Integer({
      minimum: LONGEST_MINUTES.least,
      maximum: LONGEST_MINUTES.most,
      description: 'How long a session lasts, however much it is used; null: no limit.',
    }),
  ),
};

/** How the members of a team sign in. */
export const AccessView = Type.Object({
  ...fields,
  sessions_in_words: Type.String(),
  has_second_factor: Type.Boolean({ description: 'Whether the caller has one.' }),
  members_without_second_factor: Type.Integer(),
});
export type AccessView = Static<typeof AccessView>;

/** New rules, and the caller's proof of identity. */
export const NewAccess = Fields({
  ...fields,
  ...PROOF_FIELDS,
});
