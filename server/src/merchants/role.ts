import { PERMISSIONS, type Permission } from '../platform/http/calls/access.ts';

/** The roles of a member of a merchant's team. */
export const ROLES = ['owner', 'developer', 'finance', 'read_only'] as const;
export type Role = (typeof ROLES)[number];

const GRANTED: Readonly<Record<Role, readonly Permission[]>> = {
  owner: PERMISSIONS,
  developer: [
    'read',
    'manage_schedules',
    'retry_payments',
    'manage_webhooks',
    'manage_keys',
    'read_requests',
    'use_sandbox',
  ],
  finance: ['read', 'manage_schedules', 'retry_payments', 'refund_payments', 'retry_settlements'],
  read_only: ['read'],
};

/** Returns a role's permissions. */
export function permissionsOf(role: Role): readonly Permission[] {
  return GRANTED[role];
}

/** Whether a role has a permission. */
export function may(role: Role, permission: Permission): boolean {
  return GRANTED[role].includes(permission);
}
