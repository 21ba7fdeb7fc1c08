/** What a member of a merchant's team may be. */
export const ROLES = ['owner', 'developer', 'finance', 'read_only'] as const;
export type Role = (typeof ROLES)[number];

/** What a member may do; every endpoint that the dashboard calls asks for one of them. */
export const PERMISSIONS = [
  'read',
  'manage_schedules',
  'retry_payments',
  'retry_settlements',
  'manage_webhooks',
  'manage_keys',
  'read_requests',
  'manage_settings',
  'change_settlement_account',
  'manage_team',
  'use_sandbox',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

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
  finance: ['read', 'manage_schedules', 'retry_payments', 'retry_settlements'],
  read_only: ['read'],
};

/** What a role may do. */
export function permissionsOf(role: Role): readonly Permission[] {
  return GRANTED[role];
}

/** Whether a role may do it. */
export function may(role: Role, permission: Permission): boolean {
  return GRANTED[role].includes(permission);
}
