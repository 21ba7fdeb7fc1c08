import type { Caller } from '../../platform/http/calls/route.ts';
import type { AskedBy } from '../../platform/platform.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { toDecimal } from '../../platform/values/money.ts';
import { countAct } from '../acts/count-act.ts';
import { changesOf } from '../acts/ground.ts';
import { lockGround } from '../acts/lock-ground.ts';
import { type ActResult, aboutId } from '../acts/money-act.ts';
import { readGround } from '../acts/read-ground.ts';
import { isExpired, type PreparedAct } from './act.ts';
import { type ActDeps, doingOf } from './deps.ts';
import { checkedInputs, openInputs } from './inputs.ts';

/** Throws 409 `act_over` for an act that can no longer be done. */
export function refuseOver(act: PreparedAct, now: Temporal.Instant): void {
  const why =
    act.status === 'declined'
      ? 'A member of the team has declined this act. That is final.'
      : act.status === 'replaced'
        ? 'Another act was prepared for the same purpose, in place of this one.'
        : isExpired(act, now)
          ? 'This act was not committed, or not approved, in time. Prepare it again.'
          : act.status !== 'done' && act.inputs === null
            ? 'What this act was prepared with was erased. Prepare it again.'
            : null;
  if (why !== null) throw new ApiError('act_over', why);
}

/**
 * Does an act in the caller's transaction, by its own endpoint's code, for the key that prepared it; its id stands in for the
 * `Idempotency-Key`. Returns the id of what it made or changed. Throws 409 `act_outdated` if what it is about, or its amount, is
 * not as it was; and what the endpoint throws.
 */
export async function carryOut(
  deps: ActDeps,
  { tx, now }: Pick<AskedBy, 'tx' | 'now'>,
  act: PreparedAct,
  caller: Caller,
): Promise<string | null> {
  const { merchantId, actId, inputs: sealed } = act;
  if (sealed === null) throw new Error(`${actId} has nothing to be done with`);
  const doing = doingOf(deps, act.operation);
  const inputs = checkedInputs(doing.route, openInputs(deps.platform.vault, act, sealed), now);
  const about = aboutId(doing.act, inputs);
  await lockGround(tx, merchantId, act.operation, about);
  const changed = changesOf(act.ground, await readGround(tx, merchantId, doing.act, about));
  if (changed !== null)
    throw outdated(`What it is about has changed since it was prepared`, changed);
  const call = { ...caller, ...inputs, tx, now, query: {}, idempotencyKey: actId };
  const result = (await doing.route.handle(call)) as ActResult;
  const pence = await countAct(tx, merchantId, doing.act, { inputs, result });
  if (pence !== act.amountPence)
    throw outdated('Its amount has changed since it was prepared', {
      amount: `was £${toDecimal(act.amountPence)}, is £${toDecimal(pence)}`,
    });
  return result.id ?? about;
}

const outdated = (sentence: string, details: Record<string, string>): ApiError =>
  new ApiError('act_outdated', `${sentence}. Prepare it again.`, details);
