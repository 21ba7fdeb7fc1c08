import { permissionFor } from '../../dashboard/permissions.ts';
import { may, ROLES } from '../../merchants/role.ts';
import { presentScopes, type Scope } from '../../merchants/scope.ts';
import { callerOf } from '../../platform/http/calls/auth.ts';
import type { KeyPower, Route } from '../../platform/http/calls/route.ts';
import type { Guard } from '../../platform/http/mount.ts';
import { ApiError } from '../../platform/values/errors.ts';

/** The scope that an API key needs per operation; every operation is listed. */
const NEEDED: Readonly<Record<string, Scope>> = {
  createSchedule: 'schedules',
  importSchedules: 'schedules',
  listSchedules: 'schedules',
  getSchedule: 'schedules',
  updateSchedule: 'schedules',
  listUpcoming: 'schedules',
  changeUpcoming: 'schedules',
  restoreUpcoming: 'schedules',
  listSchedulesOfCustomer: 'schedules',
  listCustomers: 'customers',
  getCustomer: 'customers',
  updateCustomer: 'customers',
  eraseCustomer: 'customers',
  exportCustomer: 'customers',
  listPaymentsOfSchedule: 'payments',
  createPayment: 'payments',
  listPayments: 'payments',
  getPayment: 'payments',
  retryPayment: 'payments',
  createRefund: 'payments',
  listRefundsOfPayment: 'payments',
  listRefunds: 'payments',
  getRefund: 'payments',
  retrySettlement: 'payments',
  listSettlements: 'settlements',
  getSettlement: 'settlements',
  listPaymentsOfSettlement: 'settlements',
  listWallets: 'settlements',
  listBanks: 'schedules',
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
  updateApiKey: 'keys',
  revokeApiKey: 'keys',
};

/** Returns the scope that an operation needs. Throws if the operation is not listed, so that no endpoint goes without a scope. */
export function scopeFor(operationId: string): Scope {
  const scope = Object.hasOwn(NEEDED, operationId) ? NEEDED[operationId] : undefined;
  if (scope === undefined)
    throw new Error(
      `nobody decided which scope ${operationId} needs: name it in app/wiring/scopes.ts`,
    );
  return scope;
}

/** Returns the guard of an API endpoint: 403 `forbidden` for a key that may not call it. */
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

/** Returns the guard of a lever of the sandbox, which needs no scope: 403 `forbidden` for a key whose maker may not use it. */
export function allowMaker({ operationId }: Pick<Route, 'operationId'>): Guard {
  const permission = permissionFor(operationId);
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
function makerMay({ maker }: KeyPower, permission: ReturnType<typeof permissionFor>): boolean {
  if (maker === null) return true;
  const role = ROLES.find((name) => name === maker.role);
  return role !== undefined && may(role, permission);
}

/** Returns the endpoint as the reference shows it: with the scope it needs. */
export function withScope(route: Route): Route {
  const line = `A key needs the scope \`${scopeFor(route.operationId)}\`.`;
  return {
    ...route,
    description: route.description === undefined ? line : `${route.description} ${line}`,
    errors: [...new Set([...(route.errors ?? []), 'forbidden' as const])],
  };
}
