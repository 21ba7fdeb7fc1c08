import type { ApiKey, Scope } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { RequestDetail, RequestItem } from '../../../server/src/dashboard/requests/view.ts';
import { dashboard, recollect } from './client.ts';
import { useCursorQuery } from './cursor-query.ts';
import { useOffsetQuery } from './offsets.ts';

/** The API keys, the newest first, page by page. */
export function useKeys() {
  return useOffsetQuery<ApiKey>(['keys'], (part, options) => recollect.apiKeys.list(part, options));
}

/** Makes a key; the answer holds it, once. */
export function useCreateKey() {
  return useMutation({
    mutationFn: (key: { name: string; scopes: Scope[] }) => recollect.apiKeys.create(key),
  });
}

/** Replaces a key; the old one works for so many hours more. */
export function useRotateKey(id: string) {
  return useMutation({
    mutationFn: (overlap: { overlap_hours: number }) => recollect.apiKeys.rotate(id, overlap),
  });
}

/** Ends a key at once. */
export function useRevokeKey() {
  return useMutation({ mutationFn: (id: string) => recollect.apiKeys.revoke(id) });
}

/** What the request log is narrowed to. */
export interface RequestFilter {
  outcome?: 'errors';
  method?: string;
  path?: string;
}

/** What the answers about the request log are kept under. */
export const REQUESTS = '/api/requests';

/** The requests of the last days that fit, the newest first, page by page. */
export function useRequests(filter: RequestFilter) {
  return useCursorQuery<RequestItem>(REQUESTS, { ...filter });
}

/** One request with its bodies. */
export function useRequest(id: string) {
  return useQuery({
    queryKey: [REQUESTS, 'one', id],
    queryFn: () => dashboard.get<RequestDetail>(`${REQUESTS}/${encodeURIComponent(id)}`),
  });
}
