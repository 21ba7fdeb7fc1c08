import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  MemberView,
  NewInvitationView,
  RemovalView,
  ResetLinkView,
  TeamView,
} from '../../../../server/src/dashboard/team/view.ts';
import type { Role } from '../../ui/role.ts';
import { dashboard } from '../client.ts';

export type Member = MemberView;
export type Invitation = TeamView['invitations'][number];
export type { NewInvitationView, ResetLinkView };

const memberPath = (userId: string): string => `/api/team/members/${encodeURIComponent(userId)}`;

/** Fetches members and open invitations. Requires `manage_team`. */
export function useTeam() {
  return useQuery({ queryKey: ['team'], queryFn: () => dashboard.get<TeamView>('/api/team') });
}

/** Creates an invitation with a link that is shown once. */
export function useInvite() {
  return useMutation({
    mutationFn: (body: { email: string; role: Role }) =>
      dashboard.post<NewInvitationView>('/api/team/invitations', body),
  });
}

export function useWithdrawInvitation() {
  return useMutation({
    mutationFn: (id: string) => dashboard.delete(`/api/team/invitations/${encodeURIComponent(id)}`),
  });
}

export function useChangeRole() {
  return useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
      dashboard.put<MemberView>(memberPath(userId), { role }),
  });
}

export function useRemoveMember() {
  return useMutation({
    mutationFn: ({ userId, keepKeys }: { userId: string; keepKeys: boolean }) =>
      dashboard.delete<RemovalView>(`${memberPath(userId)}${keepKeys ? '?keep_keys=true' : ''}`),
  });
}

/** Takes back that an owner is removed or demoted. */
export function useKeepOwner() {
  return useMutation({
    mutationFn: (userId: string) => dashboard.delete<MemberView>(`${memberPath(userId)}/leaving`),
  });
}

/** Unlinks a member from their account at the identity provider. */
export function useUnlink() {
  return useMutation({
    mutationFn: (userId: string) => dashboard.delete<MemberView>(`${memberPath(userId)}/sso`),
  });
}

/** Creates a link for a member to set a new password; shown once. */
export function useResetLink() {
  return useMutation({
    mutationFn: (userId: string) =>
      dashboard.post<ResetLinkView>(`${memberPath(userId)}/reset_link`),
  });
}
