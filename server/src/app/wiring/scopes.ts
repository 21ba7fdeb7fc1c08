import { makerMay, whyKeyMayNot } from '../../merchants/scope.ts';
import { callerOf } from '../../platform/http/calls/auth.ts';
import type { Route } from '../../platform/http/calls/route.ts';
import type { Guard } from '../../platform/http/mount.ts';
import { ApiError } from '../../platform/values/errors.ts';

/** Who may call an endpoint. */
type Access = Pick<Route, 'operationId' | 'scope' | 'permission'>;

/** Returns the guard of an API endpoint: 403 `forbidden` for a key that may not call it. */
export function allowScope({ operationId, scope, permission }: Access): Guard {
  if (scope === null || permission === null)
    throw new Error(`no API key may call ${operationId}: it has no scope or no permission`);
  return async (request) => {
    const problem = whyKeyMayNot(callerOf(request).key, scope, permission);
    if (problem !== null) throw new ApiError('forbidden', problem);
  };
}

/** Returns the guard of a lever of the sandbox, which needs no scope: 403 `forbidden` for a key whose maker may not use it. */
export function allowMaker({ operationId, permission }: Access): Guard {
  if (permission === null) throw new Error(`no member may call ${operationId}`);
  return async (request) => {
    const { key } = callerOf(request);
    if (key === undefined || !makerMay(key, permission))
      throw new ApiError(
        'forbidden',
        `The role of the member who made this API key does not allow it (${permission}).`,
      );
  };
}

/** Returns the endpoint as the reference shows it: with the scope it needs. */
export function withScope(route: Route): Route {
  const line =
    route.scope === 'any'
      ? 'Any key may call it, whatever its scopes.'
      : `A key needs the scope \`${route.scope}\`.`;
  return {
    ...route,
    description: route.description === undefined ? line : `${route.description} ${line}`,
    errors: [...new Set([...(route.errors ?? []), 'forbidden' as const])],
  };
}
