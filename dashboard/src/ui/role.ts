import type { MeView } from '../../../server/src/dashboard/me/view.ts';

/** The role of a team member. */
export type Role = MeView['merchant']['role'];

/** Each role's name and permissions, in the words of the team page. */
export const ROLE_TEXTS: Readonly<Record<Role, { label: string; may: string }>> = {
  owner: { label: 'Owner', may: 'Full access, including the team and the settlement account.' },
  developer: {
    label: 'Developer',
    may: 'Schedules, retrying payments, webhooks, API keys, the request log and the sandbox.',
  },
  finance: {
    label: 'Finance',
    may: 'Schedules, retrying payments, refunds and retrying settlements.',
  },
  read_only: {
    label: 'Read only',
    may: 'Can view everything except secrets, the request log and the team, and change nothing.',
  },
};

/** Returns a role's name. */
export function roleLabel(role: Role): string {
  return ROLE_TEXTS[role].label;
}
