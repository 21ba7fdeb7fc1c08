import type { KeyPower } from '../platform/http/route.ts';
import { may, type Permission, ROLES, type Role } from './role.ts';

/** What an API key may be allowed to do. */
export const SCOPES = [
  'schedules',
  'payments',
  'settlements',
  'customers',
  'webhooks',
  'merchant',
  'keys',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a new key may do where nobody chooses: everything but making further keys. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'keys');

/** What a member must be allowed to do to give a key a scope. */
const NEEDED: Readonly<Record<Scope, Permission>> = {
  schedules: 'manage_schedules',
  payments: 'retry_payments',
  settlements: 'read',
  customers: 'manage_schedules',
  webhooks: 'manage_webhooks',
  merchant: 'manage_settings',
  keys: 'manage_keys',
};

/** The scopes that a member of this role may give a key. */
export function scopesOf(role: Role): readonly Scope[] {
  return SCOPES.filter((scope) => may(role, NEEDED[scope]));
}

/**
 * What a key may do now: of its scopes those that its maker could still give. It shrinks with the maker's role, and comes
 * back with it.
 */
export function presentScopes({ scopes, maker }: KeyPower): readonly Scope[] {
  const role = maker === null ? null : ROLES.find((name) => name === maker.role);
  const given = role === null ? SCOPES : role === undefined ? [] : scopesOf(role);
  return given.filter((scope) => scopes.includes(scope));
}
