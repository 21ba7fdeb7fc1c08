import { recordChanges } from '../../platform/audit-trail.ts';
import { formatInstant } from '../../platform/calendar.ts';
import { realNow } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db.ts';
import { ApiError, orNotFound } from '../../platform/errors.ts';
import type { Asked, AskedBy, Platform } from '../../platform/platform.ts';
import type { Role } from '../role.ts';
import { CONFIRMING_DELAY } from '../settlement-account.ts';
import { endChangeOf } from '../settlement-account-service.ts';
import { createPasswordLink, type Link } from '../sign-in/links.ts';
import { deleteInvitations } from './invitation-store.ts';
import {
  type CheckedMembership,
  deleteMember,
  findMember,
  findMemberPower,
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

/**
 * Adds a user to a team; an existing member stays unchanged. Needs the engine's role. `now` is business time, and so is
 * `confirmsFrom`, when they begin to count as a second owner (null: at once).
 */
export async function addMember(
  platform: Pick<Platform, 'notify'>,
  asked: AskedBy,
  userId: string,
  role: Role,
  confirmsFrom: Temporal.Instant | null = null,
): Promise<void> {
  const member = { merchantId: asked.merchantId, userId, role };
  if (!(await insertMember(asked.tx, member, realNow(), confirmsFrom))) return;
  await recordTeamChange(asked, userId, null, role);
  if (role === 'owner') await tellOwners(platform, asked, userId, 'is now an owner');
}

/** Tells every owner by email that somebody became one, or will no longer be one. */
async function tellOwners(
  { notify }: Pick<Platform, 'notify'>,
  { tx, now, merchantId }: Asked,
  userId: string,
  change: 'is now an owner' | 'is no longer an owner',
): Promise<void> {
  const causeId = `${userId} ${change} ${formatInstant(now)}`;
  await notify(tx, now, [
    { merchantId, kind: 'owners_changed', causeId, memberId: userId, facts: { change } },
  ]);
}

async function memberOf({ tx, merchantId }: Asked, userId: string): Promise<Member> {
  return orNotFound(await findMember(tx, merchantId, userId), 'member');
}

/** Throws 409 `last_owner` if the team would be left without an owner. */
async function keepAnOwner({ tx, merchantId }: Asked, userId: string): Promise<void> {
  const owners = await lockOwners(tx, merchantId);
  if (owners.length === 1 && owners[0] === userId)
    throw new ApiError('last_owner', 'This is the only owner of the team.');
}

/** Ends what a member began as an owner: the account change they requested, and the invitations they made. */
export async function endPowerOf(
  platform: Platform,
  asked: AskedBy,
  userId: string,
): Promise<void> {
  await endChangeOf(platform, asked, userId);
  await endInvitationsOf(asked, userId);
}

/** Withdraws the open invitations to a team that a member made. */
async function endInvitationsOf(asked: AskedBy, userId: string): Promise<void> {
  for (const id of await deleteInvitations(asked.tx, asked.merchantId, { inviterId: userId }))
    await recordTeamChange(asked, id, 'invited', 'withdrawn');
}

/**
 * Changes a member's role, from their next request on; ends what they requested as an owner. Throws 404 `not_found`, 409
 * `last_owner`.
 */
export async function changeRole(
  platform: Platform,
  asked: AskedBy,
  userId: string,
  role: Role,
): Promise<Member> {
  if (role !== 'owner') await keepAnOwner(asked, userId);
  const member = await memberOf(asked, userId);
  if (member.role === role) return member;
  // Whoever stops being an owner gets the notice too.
  if (member.role === 'owner') await tellOwners(platform, asked, userId, 'is no longer an owner');
  await setRole(asked.tx, asked.merchantId, userId, role, asked.now.add(CONFIRMING_DELAY));
  if (role !== 'owner') await endPowerOf(platform, asked, userId);
  else await tellOwners(platform, asked, userId, 'is now an owner');
  await recordTeamChange(asked, userId, member.role, role);
  return { ...member, role };
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
  const member = orNotFound(await findMemberPower(tx, merchantId, userId), 'member');
  await endPowerOf(platform, asked, userId);
  if (member.role === 'owner') await tellOwners(platform, asked, userId, 'is no longer an owner');
  await deleteMember(tx, merchantId, userId);
  await recordTeamChange(asked, userId, member.role, 'removed');
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
