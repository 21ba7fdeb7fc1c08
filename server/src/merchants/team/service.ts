import { recordChanges } from '../../platform/audit-trail.ts';
import { realNow } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { Work } from '../../platform/platform.ts';
import type { Role } from '../role.ts';
import { CONFIRMING_DELAY } from '../settlement-account.ts';
import { endChangeOf } from '../settlement-account-service.ts';
import { createPasswordLink, type Link } from '../sign-in/links.ts';
import { deleteInvitations } from './invitation-store.ts';
import {
  deleteMember,
  findMember,
  findMemberPower,
  insertMember,
  listMemberships,
  lockOwners,
  type Member,
  type Membership,
  setRole,
} from './store.ts';

/** Who changes a team, for which merchant, and the name in the audit trail. */
export interface Actor {
  merchantId: string;
  actorId: string;
}

/**
 * Returns every merchant that a user works for. Across merchants, so `tx` is the engine's (`db.read`). It is queried for every
 * request, so removing a member takes effect at once, in every process.
 */
export function membershipsOf(tx: Tx, userId: string): Promise<Membership[]> {
  return listMemberships(tx, userId);
}

/** Writes a change of the team to the audit trail. */
export async function recordTeamChange(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, actorId }: Actor,
  objectId: string,
  from: string | null,
  to: string,
): Promise<void> {
  const reason = `by ${actorId}`;
  await recordChanges(tx, now, [{ merchantId, objectId, scheduleId: null, from, to, reason }]);
}

/**
 * Adds a user to a team; an existing member stays unchanged. Needs the engine's role. `now` is business time, and so is
 * `confirmsFrom`, when they begin to count as a second owner (null: at once).
 */
export async function addMember(
  tx: Tx,
  now: Temporal.Instant,
  actor: Actor,
  userId: string,
  role: Role,
  confirmsFrom: Temporal.Instant | null = null,
): Promise<void> {
  if (await insertMember(tx, actor.merchantId, userId, role, realNow(), confirmsFrom))
    await recordTeamChange(tx, now, actor, userId, null, role);
}

async function memberOf(tx: Tx, merchantId: string, userId: string): Promise<Member> {
  const member = await findMember(tx, merchantId, userId);
  if (member === null) throw notFound('member');
  return member;
}

/** Throws 409 `last_owner` if the team would be left without an owner. */
async function keepAnOwner(tx: Tx, merchantId: string, userId: string): Promise<void> {
  const owners = await lockOwners(tx, merchantId);
  if (owners.length === 1 && owners[0] === userId)
    throw new ApiError('last_owner', 'This is the only owner of the team.');
}

/** Ends what a member began as an owner: the account change they requested, and the invitations they made. */
async function endPowerOf(work: Work, actor: Actor, userId: string): Promise<void> {
  await endChangeOf(work, actor, userId);
  await endInvitationsOf(work.tx, work.now, actor, userId);
}

/** Withdraws the open invitations to a team that a member made. */
export async function endInvitationsOf(
  tx: Tx,
  now: Temporal.Instant,
  actor: Actor,
  userId: string,
): Promise<void> {
  for (const id of await deleteInvitations(tx, actor.merchantId, { inviterId: userId }))
    await recordTeamChange(tx, now, actor, id, 'invited', 'withdrawn');
}

/**
 * Changes a member's role, from their next request on; ends what they requested as an owner. Throws 404 `not_found`, 409
 * `last_owner`.
 */
export async function changeRole(
  work: Work,
  actor: Actor,
  userId: string,
  role: Role,
): Promise<Member> {
  const { merchantId } = actor;
  if (role !== 'owner') await keepAnOwner(work.tx, merchantId, userId);
  const member = await memberOf(work.tx, merchantId, userId);
  if (member.role === role) return member;
  await setRole(work.tx, merchantId, userId, role, work.now.add(CONFIRMING_DELAY));
  if (role !== 'owner') await endPowerOf(work, actor, userId);
  await recordTeamChange(work.tx, work.now, actor, userId, member.role, role);
  return { ...member, role };
}

/** Removes a member from the team; their next request is refused. Throws 404 `not_found`, 409 `last_owner`. */
export async function removeMember(
  work: Work,
  actor: Actor,
  userId: string,
  { evenLastOwner }: { evenLastOwner: boolean } = { evenLastOwner: false },
): Promise<void> {
  const { merchantId } = actor;
  if (!evenLastOwner) await keepAnOwner(work.tx, merchantId, userId);
  const member = await findMemberPower(work.tx, merchantId, userId);
  if (member === null) throw notFound('member');
  await endPowerOf(work, actor, userId);
  await deleteMember(work.tx, merchantId, userId);
  await recordTeamChange(work.tx, work.now, actor, userId, member.role, 'removed');
}

/**
 * Creates a link for a member to set a new password, to be passed on by an owner. Throws 404 `not_found`, and 403 `forbidden` for
 * a member who is also on another merchant's team: otherwise one merchant's owner could get at another merchant's money.
 */
export async function createResetLink(work: Work, actor: Actor, userId: string): Promise<Link> {
  const member = await memberOf(work.tx, actor.merchantId, userId);
  if (member.worksElsewhere)
    throw new ApiError(
      'forbidden',
      'This member works for another merchant too, so only the operator of the service can help.',
    );
  const link = await createPasswordLink(work.platform, work.tx, userId, actor);
  await recordTeamChange(work.tx, work.now, actor, userId, null, 'reset_link_made');
  return link;
}
