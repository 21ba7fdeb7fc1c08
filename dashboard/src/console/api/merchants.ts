import type { List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useOffsetQuery } from '../../api/offsets.ts';
import { admin } from './client.ts';

/** A state that an operator gave, and why. */
export interface Hold {
  since: string;
  by: string;
  reason: string;
}

export interface ListedMerchant {
  id: string;
  name: string;
  legal_name: string;
  email: string;
  website: string;
  suspended: Hold | null;
  pay_outs_held: Hold | null;
  created_at: string;
}

/** What the operator takes of each collection, from a moment on. */
export interface Fees {
  fixed_pence: number;
  basis_points: number;
  from: string;
}

export interface Merchant extends ListedMerchant {
  address: string;
  terms: string;
  time_zone: string;
  return_url: string | null;
  settlement_account: { name: string; sort_code: string; account_number: string };
  fees: Fees[];
}

/** What a merchant begins with. */
export interface NewMerchant {
  name: string;
  /** Empty: the name. */
  legal_name: string;
  email: string;
  website: string;
  address: string;
  terms: string;
  settlement_account: Merchant['settlement_account'];
  /** Both empty: none yet. */
  owner: { name: string; email: string };
}

/** A new merchant, its first API key, shown once, and the link for its first owner. */
export interface StartedMerchant {
  merchant: Merchant;
  api_key: string;
  owner: { id: string; email: string; url: string; expires_at: string } | null;
}

/** What an operator does about a merchant. */
export type MerchantDecision = 'suspend' | 'resume' | 'hold_pay_outs' | 'release_pay_outs';

const path = (id: string): string => `/merchants/${encodeURIComponent(id)}`;

/** Fetches merchants by a part of their name or address, or those that are held. */
export function useMerchants(filter: { q: string; hold: string }) {
  return useOffsetQuery(['merchants', filter], (part) =>
    admin.get<List<ListedMerchant>>('/merchants', { ...filter, ...part }),
  );
}

export function useMerchant(id: string) {
  return useQuery({ queryKey: ['merchant', id], queryFn: () => admin.get<Merchant>(path(id)) });
}

export function useCreateMerchant() {
  return useMutation({
    mutationFn: ({ owner, legal_name, ...fields }: NewMerchant) =>
      admin.post<StartedMerchant>('/merchants', {
        ...fields,
        ...(legal_name === '' ? {} : { legal_name }),
        ...(owner.name === '' && owner.email === '' ? {} : { owner }),
      }),
  });
}

export function useDecideMerchant(id: string) {
  return useMutation({
    mutationFn: ({ decision, reason }: { decision: MerchantDecision; reason: string }) =>
      admin.post<Merchant>(`${path(id)}/${decision}`, { reason }),
  });
}

export function useSetFees(id: string) {
  return useMutation({
    mutationFn: (fees: { fixed_pence: number; basis_points: number; from?: string }) =>
      admin.post<Merchant>(`${path(id)}/fees`, fees),
  });
}
