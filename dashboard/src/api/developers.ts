import type { ApiKey, List, Scope } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { RequestDetail, RequestItem } from '../../../server/src/dashboard/requests/view.ts';
import { dashboard, recollect } from './client.ts';
import { useList } from './list-query.ts';

/** Fetches the API keys, newest first, page by page; nothing for a member who may not see them. */
export function useKeys(isAllowed = true) {
  return useList<ApiKey>(['keys'], (part, options) => recollect.apiKeys.list(part, options), {
    enabled: isAllowed,
  });
}

/** Creates a key; only this response contains its secret. */
export function useCreateKey() {
  return useMutation({
    mutationFn: (key: { name: string; scopes: Scope[]; allowed_ips: string[] | null }) =>
      recollect.apiKeys.create(key),
  });
}

/** Replaces a key; the old one keeps working for the given hours. */
export function useRotateKey(id: string) {
  return useMutation({
    mutationFn: (overlap: { overlap_hours: number }) => recollect.apiKeys.rotate(id, overlap),
  });
}

/** Changes the addresses that a key may be used from; null: anywhere. */
export function useChangeAddresses(id: string) {
  return useMutation({
    mutationFn: (allowed_ips: string[] | null) => recollect.apiKeys.update(id, { allowed_ips }),
  });
}

/** Revokes a key at once. */
export function useRevokeKey() {
  return useMutation({ mutationFn: (id: string) => recollect.apiKeys.revoke(id) });
}

/** The filter of the request log. */
export interface RequestFilter {
  outcome?: 'errors';
  method?: string;
  path?: string;
}

/** The cache key of the request log. */
export const REQUESTS = '/api/requests';

/** Fetches the matching requests of the last days, newest first, page by page. */
export function useRequests(filter: RequestFilter) {
  return useList([REQUESTS, filter], (part) =>
    dashboard.get<List<RequestItem>>(REQUESTS, { ...filter, ...part }),
  );
}

/** Fetches one request with its bodies. */
export function useRequest(id: string) {
  return useQuery({
    queryKey: [REQUESTS, 'one', id],
    queryFn: () => dashboard.get<RequestDetail>(`${REQUESTS}/${encodeURIComponent(id)}`),
  });
}
