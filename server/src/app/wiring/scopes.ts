import { may, ROLES } from '../../merchants/role.ts';
import { presentScopes } from '../../merchants/scope.ts';
import type { Permission } from '../../platform/http/calls/access.ts';
import { callerOf } from '../../platform/http/calls/auth.ts';
import type { KeyAuthority, Route } from '../../platform/http/calls/route.ts';
import type { Guard } from '../../platform/http/mount.ts';
import { ApiError } from '../../platform/values/errors.ts';

/** Who may call an endpoint. */
type Access = Pick<Route, 'operationId' | 'scope' | 'permission'>;

/** Returns the guard of an API endpoint: 403 `forbidden` for a key that may not call it. */
export function allowScope({ operationId, scope, permission }: Access): Guard {
  if (scope === null || permission === null)
    throw new Error(`no API key may call ${operationId}: it has no scope or no permission`);
  return async (request) => {
    const { key } = callerOf(request);
    if (key === undefined || !key.scopes.includes(scope))
      throw new ApiError('forbidden', `This API key does not have the scope "${scope}".`);
    if (!presentScopes(key).includes(scope) || !makerMay(key, permission))
      throw new ApiError(
        'forbidden',
        `The scope "${scope}" of this API key does not reach here: the role of the member who made it no longer allows ` +
          `it (${permission}).`,
      );
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

/** Whether the member who made the key still has the permission: a key can do no more than its maker. */
function makerMay({ maker }: KeyAuthority, permission: Permission): boolean {
  if (maker === null) return true;
  const role = ROLES.find((name) => name === maker.role);
  return role !== undefined && may(role, permission);
}

/** Returns the endpoint as the reference shows it: with the scope it needs. */
export function withScope(route: Route): Route {
  const line = `A key needs the scope \`${route.scope}\`.`;
  return {
    ...route,
    description: route.description === undefined ? line : `${route.description} ${line}`,
    errors: [...new Set([...(route.errors ?? []), 'forbidden' as const])],
  };
}
