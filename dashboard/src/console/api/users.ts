import type { List } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import { useOffsetQuery } from '../../api/offsets.ts';
import { admin } from './client.ts';

export interface User {
  id: string;
  name: string;
  email: string;
  has_password: boolean;
  passkeys: number;
  two_factor: boolean;
  last_seen_at: string | null;
  teams: { merchant_id: string; role: string }[];
}

/** A link to set a new password; shown once. */
export interface Reset {
  url: string;
  expires_at: string;
}

const path = (id: string): string => `/users/${encodeURIComponent(id)}`;

export function useUsers(q: string) {
  return useOffsetQuery(['users', q], (part) => admin.get<List<User>>('/users', { q, ...part }));
}

/** Removes every way into an account. */
export function useResetUser() {
  return useMutation({ mutationFn: (id: string) => admin.post<Reset>(`${path(id)}/reset`) });
}

/** Removes somebody from every team, and deletes the account. */
export function useRemoveUser() {
  return useMutation({
    mutationFn: ({ id, evenLastOwner }: { id: string; evenLastOwner: boolean }) =>
      admin.post<object>(`${path(id)}/remove`, evenLastOwner ? { even_last_owner: true } : {}),
  });
}
