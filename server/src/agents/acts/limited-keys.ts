import { limitExceeded, limitPassed } from '../../merchants/keys/key-limits.ts';
import { countSpent, lockLimits } from '../../merchants/keys/limit-store.ts';
import type { Route } from '../../platform/http/calls/route.ts';
import type { ErrorCode } from '../../platform/values/errors.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { countAct } from './count-act.ts';
import { type ActInputs, type ActResult, MONEY_ACTS, NOT_FOR_LIMITED } from './money-act.ts';

/**
 * Returns an endpoint that holds keys to their limits, whoever calls it and however: the act, the check and the count are one
 * transaction, in which the limits are locked first. Beyond a limit it throws 403 `key_limit_exceeded`, and nothing happens.
 */
export function withKeyLimits(route: Route): Route {
  const { operationId } = route;
  const act = MONEY_ACTS[operationId];
  const refusal = NOT_FOR_LIMITED[operationId];
  if (refusal !== undefined) return withoutLimitedKeys(route, refusal);
  if (act === undefined) return route;
  return {
    ...route,
    errors: [...(route.errors ?? []), 'key_limit_exceeded'],
    async handle(call) {
      if (call.key?.isLimited !== true) return route.handle(call);
      const { tx, now, merchantId, actorId } = call;
      const limits = await lockLimits(tx, merchantId, actorId);
      const result = await route.handle(call);
      if (limits === null) return result;
      const inputs = { params: call.params, body: call.body ?? {} } as ActInputs;
      const pence = await countAct(tx, merchantId, act, { inputs, result: result as ActResult });
      if (limitPassed(limits, pence, now) !== null) throw limitExceeded(limits, pence, now);
      await countSpent(tx, merchantId, limits, pence, now);
      return result;
    },
  };
}

const FORBIDDEN: ErrorCode = 'forbidden';

function withoutLimitedKeys(route: Route, refusal: string): Route {
  return {
    ...route,
    errors: [...new Set([...(route.errors ?? []), FORBIDDEN])],
    async handle(call) {
      if (call.key?.isLimited === true) throw new ApiError('forbidden', refusal);
      return route.handle(call);
    },
  };
}
