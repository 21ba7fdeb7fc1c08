import type { AskedBy, Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { newOnTeamUntil } from '../../platform/two-people/let-in-store.ts';
import { ApiError, orNotFound } from '../../platform/values/errors.ts';
import { isBefore } from '../../platform/values/instants.ts';
import type { Authenticator } from '../keys/authenticator.ts';
import { distrustKeysOf, leaveKeys } from '../keys/key-service.ts';
import type { Role } from '../role.ts';
import { clearLeaving, type Leaving, lockLeaving, setLeaving } from './leaving-store.ts';
import { refuseNewcomer } from './person.ts';
import {
  changeRole,
  endRequestsOf,
  keepAnOwner,
  memberOf,
  notifyOwners,
  recordTeamChange,
  removeMember,
} from './service.ts';
import { findMemberRole, type Member } from './store.ts';

/** How long an owner whom another one removes or demotes stays one: docs/rules/access.md#owners-who-leave. */
const LEAVING_DELAY = Temporal.Duration.from({ hours: 24 });

interface Deps {
  platform: Platform;
  /** Drops cached keys, whose power changes with their maker's. */
  authenticator: Pick<Authenticator, 'distrust'>;
}

/**
 * Changes a member's role on behalf of an owner. An owner whom another one demotes stays one for 24 hours; anything else takes
 * effect at once. Throws 403 `forbidden` for a newcomer, 404 `not_found`, 409 `last_owner`, 409 `operation_refused` for an
 * owner who leaves already.
 */
export async function giveRole(
  { platform, authenticator }: Deps,
  asked: AskedBy,
  userId: string,
  role: Role,
): Promise<Member> {
  if (userId !== asked.actorId) await refuseNewcomer(asked);
  const member = await memberOf(asked, userId);
  if (member.role === role) return member;
  if (isDelayed(asked, member)) await askToLeave(platform, asked, member, { role, keysGoTo: null });
  else {
    await changeRole(platform, asked, userId, role);
    await distrustKeysOf(authenticator, asked, userId);
  }
  return memberOf(asked, userId);
}

/**
 * Removes a member on behalf of an owner, who may take over their keys. An owner whom another one removes stays an owner for 24
 * hours; whoever leaves on their own, and everybody else, is off at once. Returns when it takes effect; null: it has. Throws as
 * `giveRole` does.
 */
export async function removeMemberFor(
  { platform, authenticator }: Deps,
  asked: AskedBy,
  userId: string,
  keepsKeys: boolean,
): Promise<Temporal.Instant | null> {
  const isOwn = userId === asked.actorId;
  if (!isOwn) await refuseNewcomer(asked);
  const member = await memberOf(asked, userId);
  const keysGoTo = keepsKeys && !isOwn ? asked.actorId : null;
  if (isDelayed(asked, member))
    return askToLeave(platform, asked, member, { role: null, keysGoTo });
  await removeMember(platform, asked, userId);
  await leaveKeys({ platform, authenticator }, asked, userId, keysGoTo);
  return null;
}

const isDelayed = ({ actorId }: AskedBy, { role, userId }: Member): boolean =>
  role === 'owner' && userId !== actorId;

async function askToLeave(
  platform: Platform,
  asked: AskedBy,
  { userId, leavesAt: already }: Member,
  { role, keysGoTo }: { role: Role | null; keysGoTo: string | null },
): Promise<Temporal.Instant> {
  const { tx, now, merchantId, actorId } = asked;
  if (already !== null)
    throw new ApiError(
      'operation_refused',
      `This owner leaves at ${formatInstant(already)} already.`,
    );
  await keepAnOwner(asked, userId);
  const leavesAt = now.add(LEAVING_DELAY);
  const leaving = { merchantId, userId, leavesAt, leavesAs: role, leavesBy: actorId, keysGoTo };
  await setLeaving(tx, leaving);
  await endRequestsOf(platform, asked, userId);
  await recordTeamChange(asked, userId, 'owner', 'leaving');
  const change = `will no longer be an owner from ${formatInstant(leavesAt)}, unless they take it back,`;
  await notifyOwners(platform, asked, userId, change);
  return leavesAt;
}

/**
 * Takes back that an owner is removed or demoted, on behalf of that owner or of the one who asked for it. Whom another made an
 * owner less than 72 hours ago cannot: they are not there yet. Throws 403 `forbidden`, 404 `not_found`.
 */
export async function stay(platform: Platform, asked: AskedBy, userId: string): Promise<Member> {
  const { tx, now, merchantId, actorId } = asked;
  const leaving = orNotFound(await lockLeaving(tx, merchantId, userId), 'owner who leaves');
  if (actorId !== userId && actorId !== leaving.leavesBy)
    throw new ApiError(
      'forbidden',
      'Only the owner who leaves, and the one who asked for it, can take it back.',
    );
  const until = actorId === userId ? await newOnTeamUntil(tx, merchantId, userId) : null;
  if (until !== null && isBefore(now, until))
    throw new ApiError(
      'forbidden',
      'Another member made you an owner less than 72 hours ago, so you cannot take it back.',
    );
  await clearLeaving(tx, merchantId, userId);
  await recordTeamChange(asked, userId, 'leaving', 'stays_owner');
  await notifyOwners(platform, asked, userId, 'stays an owner');
  return memberOf(asked, userId);
}

/**
 * Removes or demotes an owner whose time has come; does nothing if it was taken back. An owner who is the last one by now stays.
 * Needs the engine's role.
 */
export async function leaveIfDue(
  { platform, authenticator }: Deps,
  { tx, now }: Pick<AskedBy, 'tx' | 'now'>,
  { merchantId, userId }: Pick<Leaving, 'merchantId' | 'userId'>,
): Promise<void> {
  const leaving = await lockLeaving(tx, merchantId, userId);
  if (leaving === null || isBefore(now, leaving.leavesAt)) return;
  const asked = { tx, now, merchantId, actorId: leaving.leavesBy };
  if (await isLastOwner(asked, userId)) {
    await clearLeaving(tx, merchantId, userId);
    return recordTeamChange(asked, userId, 'leaving', 'stays_owner');
  }
  if (leaving.leavesAs !== null) {
    await changeRole(platform, asked, userId, leaving.leavesAs);
    return distrustKeysOf(authenticator, asked, userId);
  }
  await removeMember(platform, asked, userId);
  const keeper = leaving.keysGoTo;
  const keeps = keeper !== null && (await findMemberRole(tx, merchantId, keeper)) !== null;
  await leaveKeys({ platform, authenticator }, asked, userId, keeps ? keeper : null);
}

async function isLastOwner(asked: AskedBy, userId: string): Promise<boolean> {
  try {
    await keepAnOwner(asked, userId);
    return false;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'last_owner') return true;
    throw error;
  }
}
