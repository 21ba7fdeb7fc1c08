import Type, { type Static } from 'typebox';
import { ROLES } from '../../merchants/role.ts';
import { Instant, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';

const Member = Type.Object({
  user_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: OneOf(ROLES),
  two_factor: Type.Boolean(),
  uses_sso: Type.Boolean({ description: 'Whether they have signed in by single sign-on.' }),
  joined_at: Instant,
  last_seen_at: OrNull(Instant),
  leaving: OrNull(
    Type.Object(
      {
        at: Instant,
        role: OrNull(OneOf(ROLES)),
        asked_by: Type.String({ description: 'The user id of the owner who asked for it.' }),
      },
      {
        description:
          'When an owner whom another one removed (`role` is null) or demoted stops being one; they can take it back until then.',
      },
    ),
  ),
});
export const MemberView = Member;
export type MemberView = Static<typeof Member>;

const invitationFields = {
  id: Type.String(),
  email: Type.String(),
  role: OneOf(ROLES),
  invited_by: Type.String({ description: 'The name of the member.' }),
  created_at: Instant,
  expires_at: Instant,
};
export const InvitationView = Type.Object(invitationFields);
/** Only this response contains the link; the inviting member passes it on. */
export const NewInvitationView = Type.Object({ ...invitationFields, url: Type.String() });
export type NewInvitationView = Static<typeof NewInvitationView>;

export const TeamView = Type.Object({
  members: Type.Array(Member),
  invitations: Type.Array(InvitationView),
});
export type TeamView = Static<typeof TeamView>;

/** Whether a member is off the team, or when they will be. */
export const RemovalView = Type.Object({
  id: Type.String(),
  deleted: Type.Boolean(),
  takes_effect_at: OrNull(Instant),
});
export type RemovalView = Static<typeof RemovalView>;

/** A link for a member to set a new password; shown once. */
export const ResetLinkView = Type.Object({ url: Type.String(), expires_at: Instant });
export type ResetLinkView = Static<typeof ResetLinkView>;
