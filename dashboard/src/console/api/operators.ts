import type { List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useOffsetQuery } from '../../api/offsets.ts';
import { admin } from './client.ts';
import type { Request } from './requests.ts';
import type { Role } from './roles.ts';

export interface Operator {
  id: string;
  name: string;
  roles: Role[];
  keys: number;
  /** When the last of them ends. */
  keys_end_at: string | null;
  /** Where notices go, and by which they sign in through the identity provider. */
  email: string | null;
  linked_at: string | null;
  /** Until when they have no say in what takes two people; null: they have one. */
  newcomer_until: string | null;
  created_at: string;
  created_by: string;
  removed_at: string | null;
  removed_by: string | null;
}

export interface OperatorKey {
  id: string;
  name: string;
  hint: string;
  created_at: string;
  revoked_at: string | null;
  last_used_at: string | null;
  expires_at: string;
  allowed_ips: string[] | null;
}

/** A key that is shown once. */
export interface NewKey {
  operator: Operator;
  key: OperatorKey;
  secret: string;
}

const path = (id: string): string => `/operators/${encodeURIComponent(id)}`;

/** Fetches who is signed in. */
export function useOperator() {
  return useQuery({
    queryKey: ['me'],
    queryFn: () => admin.get<Operator>('/me'),
    staleTime: 60_000,
  });
}

export function useOperators() {
  return useOffsetQuery(['operators'], (part) => admin.get<List<Operator>>('/operators', part));
}

export function useOperatorById(id: string) {
  return useQuery({ queryKey: ['operator', id], queryFn: () => admin.get<Operator>(path(id)) });
}

export function useKeys(operatorId: string) {
  return useOffsetQuery(['keys', operatorId], (part) =>
    admin.get<List<OperatorKey>>(`${path(operatorId)}/keys`, part),
  );
}

/** The outcome of a change: done, or asked for of a second operator. */
export interface Changed {
  operator: Operator;
  request: Request | null;
}

/** Asks for a new operator: a second one has to agree. */
export function useAskOperator() {
  return useMutation({
    mutationFn: (wanted: { name: string; email: string; roles: Role[]; reason: string }) =>
      admin.post<Request>('/operators', wanted),
  });
}

/** Asks for a new first key of an operator who has no way in left. */
export function useAskFirstKey(operatorId: string) {
  return useMutation({
    mutationFn: (reason: string) =>
      admin.post<Request>(`${path(operatorId)}/first_key`, { reason }),
  });
}

export function useSetEmail(operatorId: string) {
  return useMutation({
    mutationFn: (change: { email: string | null; reason: string }) =>
      admin.put<Changed>(`${path(operatorId)}/email`, change),
  });
}

export function useSetRoles(operatorId: string) {
  return useMutation({
    mutationFn: (change: { roles: Role[]; reason: string }) =>
      admin.put<Changed>(`${path(operatorId)}/roles`, change),
  });
}

export function useRemoveOperator() {
  return useMutation({ mutationFn: (id: string) => admin.delete<Operator>(path(id)) });
}

export function useCreateKey(operatorId: string) {
  return useMutation({
    mutationFn: (name: string) => admin.post<NewKey>(`${path(operatorId)}/keys`, { name }),
  });
}

export function useRevokeKey(operatorId: string) {
  return useMutation({
    mutationFn: (keyId: string) =>
      admin.delete<OperatorKey>(`${path(operatorId)}/keys/${encodeURIComponent(keyId)}`),
  });
}
