import type { List } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import type { UserView } from '../../../../server/src/operators/users/view.ts';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';
import type { Request } from './requests.ts';

export type User = UserView;

const path = (id: string): string => `/users/${encodeURIComponent(id)}`;

export function useUsers(q: string) {
  return useList(['users', q], (part) => admin.get<List<User>>('/users', { q, ...part }));
}

/** Somebody put on a team, and the link to hand to them. */
export interface CreatedUser {
  email: string;
  url: string;
  expires_at: string;
  existing_account: User | null;
}

export function useCreateUser(merchantId: string) {
  return useMutation({
    mutationFn: (wanted: { name: string; email: string; role: string }) =>
      admin.post<CreatedUser>(`/merchants/${encodeURIComponent(merchantId)}/users`, wanted),
  });
}

/** Asks for the reset of a sign-in, or for the removal of a second factor: a second operator has to agree. */
export function useAskReset(way: 'reset' | 'second_factor/remove') {
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      admin.post<Request>(`${path(id)}/${way}`, { reason }),
  });
}

/** Removes somebody from every team, and deletes the account; asks for it for an owner. */
export function useRemoveUser() {
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; even_last_owner: boolean; reason: string }) =>
      admin.post<{ request: Request | null }>(`${path(id)}/remove`, body),
  });
}
