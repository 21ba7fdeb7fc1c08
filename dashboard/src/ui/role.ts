import type { MeView } from '../../../server/src/dashboard/me/view.ts';
import { permissionsOf } from '../../../server/src/merchants/role.ts';

/** The role of a team member. */
export type Role = MeView['merchant']['role'];

type Permission = MeView['merchant']['permissions'][number];

const NAMES: Readonly<Record<Exclude<Permission, 'read'>, string>> = {
  manage_schedules: 'schedules',
  retry_payments: 'retrying payments',
  refund_payments: 'refunds',
  retry_settlements: 'retrying settlements',
  manage_webhooks: 'webhooks',
  manage_keys: 'API keys',
  read_requests: 'the request log',
  manage_settings: 'business details',
  change_settlement_account: 'the settlement account',
  manage_personal_data: 'customers’ personal data',
  manage_team: 'the team',
  use_sandbox: 'the sandbox',
};

const LIST = new Intl.ListFormat('en-GB');

/** Returns what a role may do beside viewing, from its permissions: “Schedules, refunds and webhooks.” */
function doingOf(role: Role): string {
  const names = permissionsOf(role).flatMap((one) => (one === 'read' ? [] : NAMES[one]));
  const text = LIST.format(names);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Each role's name and permissions, in the words of the team page. */
export const ROLE_TEXTS: Readonly<Record<Role, { label: string; may: string }>> = {
  owner: { label: 'Owner', may: 'Full access, including the team and the settlement account.' },
  developer: { label: 'Developer', may: doingOf('developer') },
  finance: { label: 'Finance', may: doingOf('finance') },
  read_only: {
    label: 'Read only',
    may: 'Can view everything except secrets, the request log and the team, and change nothing.',
  },
};

/** Returns a role's name. */
export function roleLabel(role: Role): string {
  return ROLE_TEXTS[role].label;
}
