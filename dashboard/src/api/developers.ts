import type {
  ApiKey,
  KeyLimitsInput,
  List,
  PreparedAct,
  PreparedActQuery,
  Scope,
} from '@recollect/sdk';
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
    mutationFn: (key: {
      name: string;
      scopes: Scope[];
      allowed_ips: string[] | null;
      limits?: KeyLimitsInput;
    }) => recollect.apiKeys.create(key),
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

const SOON_MS = 5_000;

/** Fetches the matching acts of every API key, newest first, page by page, again every few seconds. */
export function useActs(filter: PreparedActQuery) {
  return useList<PreparedAct>(
    ['prepared_acts', filter],
    (part, options) => recollect.preparedActs.list({ ...filter, ...part }, options),
    { refetchInterval: SOON_MS },
  );
}

/** Approves an act that waits, which does it, or declines it for good. */
export function useDecideAct(id: string) {
  return useMutation({
    mutationFn: (how: 'approve' | 'decline') =>
      dashboard.post<PreparedAct>(`/api/prepared_acts/${encodeURIComponent(id)}/${how}`, {}),
  });
}

/** Changes the limits of a key. */
export function useChangeLimits(id: string) {
  return useMutation({
    mutationFn: (limits: KeyLimitsInput) => recollect.apiKeys.update(id, { limits }),
  });
}
