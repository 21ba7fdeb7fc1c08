import type { List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  viewNewKey,
  viewOperator,
  viewOperatorKey,
} from '../../../../server/src/operators/access/view.ts';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';
import type { Request } from './requests.ts';

export type Operator = ReturnType<typeof viewOperator>;
export type OperatorKey = ReturnType<typeof viewOperatorKey>;
/** What an operator may do; every role reads. */
export type Role = Operator['roles'][number];
/** A key that is shown once. */
export type NewKey = ReturnType<typeof viewNewKey>;

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
  return useList(['operators'], (part) => admin.get<List<Operator>>('/operators', part));
}

export function useOperatorById(id: string) {
  return useQuery({ queryKey: ['operator', id], queryFn: () => admin.get<Operator>(path(id)) });
}

export function useKeys(operatorId: string) {
  return useList(['keys', operatorId], (part) =>
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
