import { whyKeyMayNot } from '../../merchants/scope.ts';
import type { Caller, Route } from '../../platform/http/calls/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { ApiError, orNotFound } from '../../platform/values/errors.ts';
import { MONEY_ACTS, type MoneyAct } from '../acts/money-act.ts';

/** What prepared acts work with. */
export interface ActDeps {
  platform: Platform;
  /** The endpoints of the API, without the check of a key's limits: an act has its own. */
  routes: readonly Route[];
}

/** An act's own endpoint, and what is known of it. */
export interface Doing {
  act: MoneyAct;
  route: Route;
}

/** Returns how an operation is done. Throws 404 `not_found`. */
export function doingOf({ routes }: ActDeps, operation: string): Doing {
  const route = routes.find(({ operationId }) => operationId === operation) ?? null;
  const act = (Object.hasOwn(MONEY_ACTS, operation) && MONEY_ACTS[operation]) || null;
  return { act: orNotFound(act, 'operation'), route: orNotFound(route, 'operation') };
}

/** Throws 403 `forbidden` for a key that may not call the act's own endpoint, now. */
export function refuseKey({ key }: Pick<Caller, 'key'>, { scope, permission }: Route): void {
  if (scope === null || permission === null) throw new Error('an act that no API key may do');
  const problem = whyKeyMayNot(key, scope, permission);
  if (problem !== null) throw new ApiError('forbidden', problem);
}
