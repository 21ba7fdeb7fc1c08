import type { ApiKey, List, Scope } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';

/** A merchant's API key. */
export type MerchantKey = ApiKey & { mode: 'test' | 'live' };

/** What an operator says of a new key. */
export interface KeyRequest {
  name: string;
  scopes: Scope[];
  allowed_ips: string[] | null;
  reason: string;
}

const path = (merchantId: string): string =>
  `/merchants/${encodeURIComponent(merchantId)}/api_keys`;

export function useMerchantKeys(merchantId: string) {
  return useList(['merchant-keys', merchantId], (part) =>
    admin.get<List<MerchantKey>>(path(merchantId), part),
  );
}

/** Creates a key; only this response contains it. */
export function useCreateMerchantKey(merchantId: string) {
  return useMutation({
    mutationFn: (key: KeyRequest) =>
      admin.post<MerchantKey & { key: string }>(path(merchantId), key),
  });
}

export function useRevokeMerchantKey(merchantId: string) {
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      admin.post<MerchantKey>(`${path(merchantId)}/${encodeURIComponent(id)}/revoke`, { reason }),
  });
}
