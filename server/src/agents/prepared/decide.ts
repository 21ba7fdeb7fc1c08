import { liveCaller } from '../../merchants/keys/authenticator.ts';
import { findKey } from '../../merchants/keys/key-store.ts';
import { may } from '../../merchants/role.ts';
import { findMember } from '../../merchants/team/store.ts';
import type { Caller } from '../../platform/http/calls/route.ts';
import type { AskedBy } from '../../platform/platform.ts';
import { actorOf } from '../../platform/state/actor.ts';
import { actAs } from '../../platform/state/audit-trail.ts';
import { ApiError, orNotFound } from '../../platform/values/errors.ts';
import type { PreparedAct } from './act.ts';
import { carryOut, refuseOver } from './carry-out.ts';
import { type ActDeps, doingOf, refuseKey } from './deps.ts';
import { moveToDeclined, moveToDone } from './state-store.ts';
import { lockAct } from './store.ts';

/** Locks an act that waits for a member who may do it themselves. Throws 404, 403 `forbidden`, 409 `act_over`. */
async function lockWaiting(deps: ActDeps, asked: AskedBy, actId: string): Promise<PreparedAct> {
  const { tx, now, merchantId, actorId } = asked;
  const act = orNotFound(await lockAct(tx, merchantId, actId), 'prepared act');
  const { permission } = doingOf(deps, act.operation).route;
  const member = await findMember(tx, merchantId, actorId);
  if (member === null || permission === null || !may(member.role, permission))
    throw new ApiError('forbidden', `Your role does not allow this (${permission}).`);
  refuseOver(act, now);
  if (act.status !== 'waiting')
    throw new ApiError(
      'act_over',
      act.status === 'done' ? 'This act is done.' : 'It was not committed.',
    );
  return act;
}

/**
 * Approves an act that waits, and does it at once, in the name of the key that prepared it. It does not count against the key's
 * limits: a member has decided. Throws what `lockWaiting` throws; 409 `act_over` if the key is revoked or has expired, 403
 * `forbidden` if it may no longer do it; and what the act throws.
 */
export async function approveAct(
  deps: ActDeps,
  asked: AskedBy,
  actId: string,
): Promise<PreparedAct> {
  const { tx, now, actorId } = asked;
  const act = await lockWaiting(deps, asked, actId);
  const key = await callerOfKey(asked, act);
  refuseKey(key, doingOf(deps, act.operation).route);
  await actAs(tx, actorOf(act.keyId, act.agent));
  const objectId = await carryOut(deps, asked, act, key);
  await actAs(tx, actorOf(actorId));
  await moveToDone(tx, now, act, { objectId, decidedBy: actorId });
  return { ...act, status: 'done', objectId, decidedBy: actorId, endedAt: now };
}

/** Declines an act that waits, for good. Throws what `lockWaiting` throws. */
export async function declineAct(
  deps: ActDeps,
  asked: AskedBy,
  actId: string,
): Promise<PreparedAct> {
  const { tx, now, actorId } = asked;
  const act = await lockWaiting(deps, asked, actId);
  await moveToDeclined(tx, now, act, actorId);
  return { ...act, status: 'declined', decidedBy: actorId, endedAt: now };
}

/** Returns the key of an act as a caller. Throws 409 `act_over` if it no longer works. */
async function callerOfKey(
  { tx, now, merchantId }: AskedBy,
  { keyId, agent }: PreparedAct,
): Promise<Caller> {
  const caller = liveCaller(merchantId, await findKey(tx, merchantId, keyId), now);
  if (caller === null)
    throw new ApiError('act_over', 'The API key that prepared this act no longer works.');
  return { ...caller, agent };
}
