import { permissionFor } from '../dashboard/permissions.ts';
import { may, ROLES } from '../merchants/role.ts';
import { presentScopes, type Scope } from '../merchants/scope.ts';
import { ApiError } from '../platform/errors.ts';
import { callerOf } from '../platform/http/auth.ts';
import type { Guard } from '../platform/http/mount.ts';
import type { KeyPower, Route } from '../platform/http/route.ts';

/** The scope that an API key must have to call an endpoint, by its operation; every one is named here. */
const NEEDED: Readonly<Record<string, Scope>> = {
  createSchedule: 'schedules',
  listSchedules: 'schedules',
  getSchedule: 'schedules',
  updateSchedule: 'schedules',
  listUpcoming: 'schedules',
  listSchedulesOfCustomer: 'schedules',
  listPaymentsOfSchedule: 'payments',
  listPayments: 'payments',
  getPayment: 'payments',
  retryPayment: 'payments',
  retrySettlement: 'payments',
  listSettlements: 'settlements',
  getSettlement: 'settlements',
  listPaymentsOfSettlement: 'settlements',
  listWallets: 'settlements',
  listWebhookEndpoints: 'webhooks',
  getWebhookEndpoint: 'webhooks',
  createWebhookEndpoint: 'webhooks',
  updateWebhookEndpoint: 'webhooks',
  deleteWebhookEndpoint: 'webhooks',
  rotateWebhookSecret: 'webhooks',
  activateWebhookSecret: 'webhooks',
  testWebhookEndpoint: 'webhooks',
  resendEvent: 'webhooks',
  replayEvents: 'webhooks',
  listEvents: 'webhooks',
  getEvent: 'webhooks',
  getMerchant: 'merchant',
  updateMerchant: 'merchant',
  listApiKeys: 'keys',
  createApiKey: 'keys',
  rotateApiKey: 'keys',
  revokeApiKey: 'keys',
};

/** The scope that an operation needs. Throws for one that is not named: nobody decided which keys may call it. */
export function scopeFor(operationId: string): Scope {
  const scope = Object.hasOwn(NEEDED, operationId) ? NEEDED[operationId] : undefined;
  if (scope === undefined)
    throw new Error(`nobody decided which scope ${operationId} needs: name it in app/scopes.ts`);
  return scope;
}

/** The guard of an endpoint of the API: 403 `forbidden` for a key that may not call it. */
export function allowScope({ operationId }: Route): Guard {
  const scope = scopeFor(operationId);
  const permission = permissionFor(operationId);
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

/** No key does what the member who made it may not do. */
function makerMay({ maker }: KeyPower, permission: ReturnType<typeof permissionFor>): boolean {
  if (maker === null) return true;
  const role = ROLES.find((name) => name === maker.role);
  return role !== undefined && may(role, permission);
}

/** The endpoint as the reference shows it: with the scope that it needs. */
export function withScope(route: Route): Route {
  const line = `A key needs the scope \`${scopeFor(route.operationId)}\`.`;
  return {
    ...route,
    description: route.description === undefined ? line : `${route.description} ${line}`,
    errors: [...new Set([...(route.errors ?? []), 'forbidden' as const])],
  };
}
