import { limitPassed } from '../../merchants/keys/key-limits.ts';
import { countSpent, lockLimits } from '../../merchants/keys/limit-store.ts';
import type { Caller } from '../../platform/http/calls/route.ts';
import type { AskedBy } from '../../platform/platform.ts';
import { notFound } from '../../platform/values/errors.ts';
import { type PreparedAct, WAITS_FOR } from './act.ts';
import { carryOut, refuseOver } from './carry-out.ts';
import { type ActDeps, doingOf, refuseKey } from './deps.ts';
import { moveToDone, moveToWaiting } from './state-store.ts';
import { lockAct } from './store.ts';

/**
 * Commits an act that this key has prepared, once, however often and by however many at once it is called: an act that is
 * done, or waits for a member of the team, stays as it is. Check and count of the key's limits are in the act's own
 * transaction; beyond them the act waits. Throws 404 `not_found` for another key's act, 409 `act_over` and `act_outdated`,
 * and what the act throws.
 */
export async function commitAct(
  deps: ActDeps,
  call: AskedBy & Caller,
  actId: string,
): Promise<PreparedAct> {
  const { tx, now, merchantId, actorId } = call;
  const act = await lockAct(tx, merchantId, actId);
  if (act === null || act.keyId !== actorId) throw notFound('prepared act');
  refuseOver(act, now);
  if (act.status !== 'prepared') return act;
  refuseKey(call, doingOf(deps, act.operation).route);
  // Locked before what the act locks, as a request of the same key without an act does.
  const limits = await lockLimits(tx, merchantId, actorId);
  if (limits !== null && limitPassed(limits, act.amountPence, now) !== null) {
    const until = now.add(WAITS_FOR);
    await moveToWaiting(tx, now, act, until);
    return { ...act, status: 'waiting', expiresAt: until };
  }
  const objectId = await carryOut(deps, call, act, call);
  if (limits !== null) await countSpent(tx, merchantId, limits, act.amountPence, now);
  await moveToDone(tx, now, act, { objectId, decidedBy: null });
  return { ...act, status: 'done', objectId, endedAt: now };
}
