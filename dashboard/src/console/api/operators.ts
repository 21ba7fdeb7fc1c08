import type { List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useOffsetQuery } from '../../api/offsets.ts';
import { admin } from './client.ts';

export interface Operator {
  id: string;
  name: string;
  keys: number;
  /** By which they sign in through the identity provider. */
  email: string | null;
  linked_at: string | null;
  /** From when they count as the second person of a decision; null: always. */
  confirms_from: string | null;
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

export function useCreateOperator() {
  return useMutation({
    mutationFn: (name: string) => admin.post<NewKey>('/operators', { name }),
  });
}

export function useSetEmail(operatorId: string) {
  return useMutation({
    mutationFn: (email: string | null) =>
      admin.put<Operator>(`${path(operatorId)}/email`, { email }),
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
