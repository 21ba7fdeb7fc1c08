import Type, { type Static } from 'typebox';
import type { Authenticator } from '../../merchants/keys/authenticator.ts';
import { ROLES } from '../../merchants/role.ts';
import { unlink } from '../../merchants/sign-in/sso/service.ts';
import { parseEmail } from '../../merchants/team/email.ts';
import { type Invitation, listInvitations } from '../../merchants/team/invitation-store.ts';
import { invite, inviterOf, withdrawInvitation } from '../../merchants/team/invitations.ts';
import { giveRole, removeMemberFor, stay } from '../../merchants/team/leaving.ts';
import { refuseNewcomer } from '../../merchants/team/person.ts';
import { createResetLink } from '../../merchants/team/service.ts';
import { listMembers, type Member } from '../../merchants/team/store.ts';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { Fields, IdParams, OneOf } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { realNow } from '../../platform/time/clock.ts';
import {
  type InvitationView,
  MemberView,
  NewInvitationView,
  RemovalView,
  ResetLinkView,
  TeamView,
} from './view.ts';

const TAG = 'Team';
const UserParams = Type.Object({ user_id: Type.String() });
const Gone = Type.Object({ id: Type.String(), deleted: Type.Boolean() });
const role = OneOf(ROLES, 'What the member may do.');

/** The dependencies of the team's routes. The authenticator drops cached keys that end. */
interface TeamDeps {
  platform: Platform;
  authenticator: Pick<Authenticator, 'distrust'>;
}

/** Returns the routes by which owners manage the team of their merchant. */
export function teamRoutes({ platform, authenticator }: TeamDeps): Route[] {
  return [
    ...readRoutes(),
    ...invitationRoutes(platform),
    ...memberRoutes(platform, authenticator),
    removalRoute(platform, authenticator),
  ];
}

function readRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/team',
      summary: 'Get the team and its open invitations',
      tag: TAG,
      operationId: 'getTeam',
      scope: null,
      permission: 'manage_team',
      response: TeamView,
      handle: async ({ tx, merchantId }) => ({
        members: (await listMembers(tx, merchantId)).map(viewMember),
        invitations: (await listInvitations(tx, merchantId, realNow())).map(viewInvitation),
      }),
    }),
  ];
}

function invitationRoutes(platform: Platform): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/team/invitations',
      summary: 'Invite somebody to the team',
      description: 'The link is in this answer and in no later one.',
      tag: TAG,
      operationId: 'inviteMember',
      scope: null,
      permission: 'manage_team',
      proof: 'always',
      body: Fields({ email: Type.String({ maxLength: 254 }), role }),
      check: emailErrors,
      response: NewInvitationView,
      errors: ['not_found'],
      handle: async (call) => {
        const { invitation, url } = await invite(platform, call, call.body);
        return { ...viewInvitation(invitation), url };
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/team/invitations/:id',
      summary: 'Withdraw an invitation',
      tag: TAG,
      operationId: 'withdrawInvitation',
      scope: null,
      permission: 'manage_team',
      proof: 'never',
      params: IdParams,
      response: Gone,
      errors: ['not_found'],
      handle: async (call) => {
        const { id } = call.params;
        await withdrawInvitation(call, id);
        return { id, deleted: true };
      },
    }),
  ];
}

/** Checks the address beyond its shape. */
function emailErrors(body: unknown): Record<string, string> {
  const { email } = Object(body) as { email?: unknown };
  const isWrong = typeof email === 'string' && parseEmail(email) === null;
  return isWrong ? { email: 'must be an email address' } : {};
}

function memberRoutes(platform: Platform, authenticator: TeamDeps['authenticator']): Route[] {
  return [
    route({
      method: 'PUT',
      path: '/api/team/members/:user_id',
      summary: 'Change what a member may do',
      description: 'At once, except an owner whom another one demotes: they stay one for 24 hours.',
      tag: TAG,
      operationId: 'changeMemberRole',
      scope: null,
      permission: 'manage_team',
      proof: 'always',
      params: UserParams,
      body: Fields({ role }),
      response: MemberView,
      errors: ['not_found', 'last_owner', 'operation_refused'],
      handle: async (call) => {
        const { params, body } = call;
        const deps = { platform, authenticator };
        return viewMember(await giveRole(deps, call, params.user_id, body.role));
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/team/members/:user_id/leaving',
      summary: 'Take back that an owner is removed or demoted',
      description: 'For that owner, and for the one who asked for it.',
      tag: TAG,
      operationId: 'keepOwner',
      scope: null,
      permission: 'manage_team',
      proof: 'never',
      params: UserParams,
      response: MemberView,
      errors: ['not_found', 'forbidden'],
      handle: async (call) => viewMember(await stay(platform, call, call.params.user_id)),
    }),
    route({
      method: 'POST',
      path: '/api/team/members/:user_id/reset_link',
      summary: 'Make a link by which a member sets a new password',
      description: 'The link is in this answer and in no later one.',
      tag: TAG,
      operationId: 'makeResetLink',
      scope: null,
      permission: 'manage_team',
      proof: 'always',
      params: UserParams,
      response: ResetLinkView,
      errors: ['not_found', 'forbidden'],
      handle: async (call) => {
        const { url, expiresAt } = await createResetLink(platform, call, call.params.user_id);
        return { url, expires_at: formatInstant(expiresAt) };
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/team/members/:user_id/sso',
      summary: 'Unlink a member from their account at the identity provider',
      description:
        'For an account that was replaced there: the next one with their verified address is linked. Ends their sessions of single sign-on.',
      tag: TAG,
      operationId: 'unlinkMember',
      scope: null,
      permission: 'manage_team',
      proof: 'always',
      params: UserParams,
      response: MemberView,
      errors: ['not_found'],
      handle: async (call) => {
        await refuseNewcomer(call);
        return viewMember(await unlink(call, call.params.user_id));
      },
    }),
  ];
}

/**
 * Returns the route that removes a member. Their keys end with the membership, unless the owner who removes them keeps the keys.
 */
function removalRoute(platform: Platform, authenticator: TeamDeps['authenticator']): Route {
  return route({
    method: 'DELETE',
    path: '/api/team/members/:user_id',
    summary: 'Take a member off the team',
    description:
      'At once, except an owner: they stay one for 24 hours, in which they can take it back. Their API keys stop working with ' +
      'it. With `keep_keys=true` you take the keys over: they end with your membership.',
    tag: TAG,
    operationId: 'removeMember',
    scope: null,
    permission: 'manage_team',
    proof: 'always',
    params: UserParams,
    query: Type.Object({ keep_keys: Type.Optional(Type.Boolean()) }),
    response: RemovalView,
    errors: ['not_found', 'last_owner', 'operation_refused'],
    handle: async (call) => {
      const { query } = call;
      const id = call.params.user_id;
      const at = await removeMemberFor(
        { platform, authenticator },
        call,
        id,
        query.keep_keys === true,
      );
      return { id, deleted: at === null, takes_effect_at: formatInstant(at) };
    },
  });
}

function viewMember(m: Member): Static<typeof MemberView> {
  return {
    user_id: m.userId,
    name: m.name,
    email: m.email,
    role: m.role,
    two_factor: m.twoFactor,
    uses_sso: m.usesSso,
    joined_at: formatInstant(m.joinedAt),
    last_seen_at: formatInstant(m.lastSeenAt),
    leaving:
      m.leavesAt === null
        ? null
        : { at: formatInstant(m.leavesAt), role: m.leavesAs, asked_by: m.leavesBy ?? '' },
  };
}

function viewInvitation(i: Invitation): Static<typeof InvitationView> {
  return {
    id: i.invitationId,
    email: i.email,
    role: i.role,
    invited_by: inviterOf(i),
    created_at: formatInstant(i.createdAt),
    expires_at: formatInstant(i.expiresAt),
  };
}
