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

/** What a member of a merchant's team may do. Every endpoint that the dashboard calls requires one of them. */
export const PERMISSIONS = [
  'read',
  'manage_schedules',
  'retry_payments',
  'refund_payments',
  'retry_settlements',
  'manage_webhooks',
  'manage_keys',
  'read_requests',
  'manage_settings',
  'change_settlement_account',
  'manage_personal_data',
  'manage_team',
  'use_sandbox',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * Whether a member's change wants password and second factor again, because a session may be stolen: `always`; `sometimes`, as
 * its route decides; `in_body`, with every single request; `never`. See docs/rules/access.md#proof-again.
 */
export type Proof = 'always' | 'sometimes' | 'in_body' | 'never';
