import { useMutation, useQuery } from '@tanstack/react-query';
import type { AccessView } from '../../../../server/src/dashboard/access/view.ts';
import { dashboard } from '../client.ts';
import type { Proof } from '../settlement-account.ts';

export type Access = AccessView;
/** The rules that an owner can change. */
export type AccessRules = Pick<
  Access,
  'requires_second_factor' | 'session_idle_minutes' | 'session_longest_minutes'
>;

const PATH = '/api/team/access';

/** Fetches how the members of the team sign in. Requires `manage_team`. */
export function useAccess() {
  return useQuery({ queryKey: ['access'], queryFn: () => dashboard.get<Access>(PATH) });
}

/** Changes it, with the owner's proof of identity. */
export function useChangeAccess() {
  return useMutation({
    mutationFn: (body: AccessRules & Proof) => dashboard.put<Access>(PATH, body),
  });
}
