import type { MeView } from '../../../server/src/dashboard/me/view.ts';

/** What a member of the team may be. */
export type Role = MeView['merchant']['role'];

/** Each role with its name and what it may do, in the words of the team page. */
export const ROLE_TEXTS: Readonly<Record<Role, { label: string; may: string }>> = {
  owner: { label: 'Owner', may: 'Full access, including the team and the settlement account.' },
  developer: {
    label: 'Developer',
    may: 'Schedules, webhooks, API keys, the request log and the sandbox.',
  },
  finance: { label: 'Finance', may: 'Schedules, and retrying payments and settlements.' },
  read_only: {
    label: 'Read only',
    may: 'Can view everything except secrets and the team, and change nothing.',
  },
};

/** A role as people read it. */
export function roleLabel(role: Role): string {
  return ROLE_TEXTS[role].label;
}
