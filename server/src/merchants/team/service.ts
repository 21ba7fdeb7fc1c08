import type { Tx } from '../../platform/db/db.ts';
import type { Asked, AskedBy, Platform } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { realNow } from '../../platform/time/clock.ts';
import type { How } from '../../platform/two-people/let-in-store.ts';
import { ApiError, orNotFound } from '../../platform/values/errors.ts';
import type { Role } from '../role.ts';
import { endChangeOf } from '../settlement-account/settlement-account-service.ts';
import { createPasswordLink, type Link } from '../sign-in/links/links.ts';
import { deleteInvitations } from './invitation-store.ts';
import { clearLeaving, findLeavingBy, insertFormerOwner } from './leaving-store.ts';
import { letterId, recordMemberLetIn, refuseNewcomer } from './person.ts';
import {
  type CheckedMembership,
  deleteMember,
  findMember,
  findMemberRole,
  insertMember,
  listMemberships,
  lockOwners,
  type Member,
  setRole,
} from './store.ts';

/**
 * Returns every merchant that a user works for. Across merchants, so `tx` is the engine's (`db.read`). It is queried for every
 * request, so removing a member takes effect at once, in every process.
 */
export function membershipsOf(tx: Tx, userId: string): Promise<CheckedMembership[]> {
  return listMemberships(tx, userId);
}

/** Writes a change of the team to the audit trail. */
export async function recordTeamChange(
  { tx, now, merchantId, actorId }: AskedBy,
  objectId: string,
  from: string | null,
  to: string,
): Promise<void> {
  const reason = `by ${actorId}`;
  await recordChanges(tx, now, [{ merchantId, objectId, scheduleId: null, from, to, reason }]);
}

/** Adds a user to a team; an existing member stays unchanged. Needs the engine's role. `now` is business time. */
export async function addMember(
  platform: Pick<Platform, 'notify'>,
  asked: AskedBy,
  userId: string,
  role: Role,
  letIn: { how: How; byId: string } = { how: 'made', byId: letterId(asked.actorId) },
): Promise<void> {
  const member = { merchantId: asked.merchantId, userId, role };
  if (!(await insertMember(asked.tx, member, realNow()))) return;
  await recordMemberLetIn(asked, userId, role, letIn);
  await recordTeamChange(asked, userId, null, role);
  if (role === 'owner') await notifyOwners(platform, asked, userId, 'is now an owner');
}

/** Tells every owner by email that somebody became one, or will no longer be one. */
export async function notifyOwners(
  { notify }: Pick<Platform, 'notify'>,
  { tx, now, merchantId }: Asked,
  userId: string,
  change: string,
): Promise<void> {
  const causeId = `${userId} ${change} ${formatInstant(now)}`;
  await notify(tx, now, [
    { merchantId, kind: 'owners_changed', causeId, memberId: userId, facts: { change } },
  ]);
}

export async function memberOf({ tx, merchantId }: Asked, userId: string): Promise<Member> {
  return orNotFound(await findMember(tx, merchantId, userId), 'member');
}

/** Throws 409 `last_owner` if the team would be left without an owner, once those who leave have left. */
export async function keepAnOwner({ tx, merchantId }: Asked, userId: string): Promise<void> {
  const owners = await lockOwners(tx, merchantId);
  const isOwner = owners.some((owner) => owner.userId === userId);
  const others = owners.filter((owner) => owner.userId !== userId && owner.leavesAt === null);
  if (isOwner && others.length === 0)
    throw new ApiError('last_owner', 'This is the only owner of the team.');
}

/** Ends what an owner asked for: the change of the settlement account, and the invitations that they made. */
export async function endRequestsOf(
  platform: Platform,
  asked: AskedBy,
  userId: string,
): Promise<void> {
  await endChangeOf(platform, asked, userId);
  await endInvitationsOf(asked, userId);
}

/** Ends everything that a member began as an owner: their requests, and the removals of other owners that they asked for. */
export async function cancelOwnerActions(
  platform: Platform,
  asked: AskedBy,
  userId: string,
): Promise<void> {
  await endRequestsOf(platform, asked, userId);
  for (const owner of await findLeavingBy(asked.tx, asked.merchantId, userId))
    if (await clearLeaving(asked.tx, asked.merchantId, owner))
      await recordTeamChange(asked, owner, 'leaving', 'stays_owner');
}

/** Withdraws the open invitations to a team that a member made. */
async function endInvitationsOf(asked: AskedBy, userId: string): Promise<void> {
  for (const id of await deleteInvitations(asked.tx, asked.merchantId, { inviterId: userId }))
    await recordTeamChange(asked, id, 'invited', 'withdrawn');
}

/**
 * Changes a member's role at once, from their next request on; ends what they requested as an owner. Who may do that, and whether
 * it waits, is decided before (`leaving.ts`). Throws 404 `not_found`, 409 `last_owner`.
 */
export async function changeRole(
  platform: Platform,
  asked: AskedBy,
  userId: string,
  role: Role,
): Promise<void> {
  if (role !== 'owner') await keepAnOwner(asked, userId);
  const member = orNotFound(await findMemberRole(asked.tx, asked.merchantId, userId), 'member');
  if (member.role === role) return;
  // Whoever stops being an owner gets the notice too.
  if (member.role === 'owner') await endOwner(platform, asked, userId);
  await setRole(asked.tx, asked.merchantId, userId, role);
  const letIn = { how: 'promoted', byId: letterId(asked.actorId) } as const;
  await recordMemberLetIn(asked, userId, role, letIn);
  if (role !== 'owner') await cancelOwnerActions(platform, asked, userId);
  else await notifyOwners(platform, asked, userId, 'is now an owner');
  await recordTeamChange(asked, userId, member.role, role);
}

/** Removes a member from the team; their next request is refused. Throws 404 `not_found`, 409 `last_owner`. */
export async function removeMember(
  platform: Platform,
  asked: AskedBy,
  userId: string,
  { evenLastOwner }: { evenLastOwner: boolean } = { evenLastOwner: false },
): Promise<void> {
  const { tx, merchantId } = asked;
  if (!evenLastOwner) await keepAnOwner(asked, userId);
  const member = orNotFound(await findMemberRole(tx, merchantId, userId), 'member');
  await cancelOwnerActions(platform, asked, userId);
  if (member.role === 'owner') await endOwner(platform, asked, userId);
  await deleteMember(tx, merchantId, userId);
  await recordTeamChange(asked, userId, member.role, 'removed');
}

/** Tells every owner, and the one who stops being one, and remembers whom to tell of owners for a while. */
async function endOwner(platform: Platform, asked: AskedBy, userId: string): Promise<void> {
  await notifyOwners(platform, asked, userId, 'is no longer an owner');
  await insertFormerOwner(asked.tx, asked.merchantId, userId, asked.now);
}

/**
 * Creates a link for a member to set a new password, to be passed on by an owner. Throws 404 `not_found`, and 403 `forbidden` for
 * a member who is also on another merchant's team: otherwise one merchant's owner could get at another merchant's money.
 */
export async function createResetLink(
  platform: Platform,
  asked: AskedBy,
  userId: string,
): Promise<Link> {
  await refuseNewcomer(asked);
  const member = await memberOf(asked, userId);
  if (member.worksElsewhere)
    throw new ApiError(
      'forbidden',
      'This member works for another merchant too, so only the operator of the service can help.',
    );
  const link = await createPasswordLink(platform, asked.tx, userId, asked);
  await recordTeamChange(asked, userId, null, 'reset_link_made');
  return link;
}
