import { type Permission, SCOPES, type Scope } from '../platform/http/calls/access.ts';
import type { Caller, KeyAuthority } from '../platform/http/calls/route.ts';
import { ApiError } from '../platform/values/errors.ts';
import { may, ROLES, type Role } from './role.ts';

/** The scopes of a new key by default: all but creating further keys. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'keys');

/** The permission a member needs to grant a scope. */
const NEEDED: Readonly<Record<Scope, Permission>> = {
  schedules: 'manage_schedules',
  payments: 'retry_payments',
  settlements: 'read',
  customers: 'manage_schedules',
  webhooks: 'manage_webhooks',
  merchant: 'manage_settings',
  keys: 'manage_keys',
};

/** Returns the scopes that a member with this role may grant. */
export function scopesOf(role: Role): readonly Scope[] {
  return SCOPES.filter((scope) => may(role, NEEDED[scope]));
}

/**
 * Returns what a key may do now: those of its scopes that its maker could still grant. A change of the maker's role removes or
 * restores them.
 */
export function presentScopes({ scopes, maker }: KeyAuthority): readonly Scope[] {
  const role = maker === null ? null : ROLES.find((name) => name === maker.role);
  const given = role === null ? SCOPES : role === undefined ? [] : scopesOf(role);
  return given.filter((scope) => scopes.includes(scope));
}

/** Whether the member who made the key still has the permission: a key can do no more than its maker. */
export function makerMay({ maker }: KeyAuthority, permission: Permission): boolean {
  if (maker === null) return true;
  const role = ROLES.find((name) => name === maker.role);
  return role !== undefined && may(role, permission);
}

/** Returns why a key may not call what needs this scope and permission; null: it may. `any`: whatever its scopes. */
export function whyKeyMayNot(
  key: KeyAuthority | undefined,
  scope: Scope | 'any',
  permission: Permission,
): string | null {
  if (key === undefined || (scope !== 'any' && !key.scopes.includes(scope)))
    return `This API key does not have the scope "${scope}".`;
  const isPresent = scope === 'any' || presentScopes(key).includes(scope);
  return isPresent && makerMay(key, permission)
    ? null
    : `The scope "${scope}" of this API key does not reach here: the role of the member who made it no longer allows ` +
        `it (${permission}).`;
}

/** What moves money or hands out further power: a key that may do it is given to nobody by a session alone. */
const SENSITIVE_SCOPES: readonly Scope[] = ['merchant', 'payments', 'keys'];

/** Whether a key with these scopes is given only to a member who proves who they are. */
export const isStrong = (scopes: readonly Scope[] = DEFAULT_SCOPES): boolean =>
  scopes.some((scope) => SENSITIVE_SCOPES.includes(scope));

/**
 * Throws 403 `proof_required` for a member who has not proved within the last five minutes, with password and second factor, who
 * they are. API keys prove nothing: a key that may do it was given by somebody who did.
 */
export function requireProof({ hasProved }: Pick<Caller, 'hasProved'>): void {
  if (hasProved !== false) return;
  throw new ApiError(
    'proof_required',
    'Enter your password, and your code if you have a second factor, to do this.',
  );
}
