import type { List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  viewAdminMerchant,
  viewListedMerchant,
} from '../../../../server/src/operators/merchants/view.ts';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';

export type ListedMerchant = ReturnType<typeof viewListedMerchant>;
export type Merchant = ReturnType<typeof viewAdminMerchant>;
/** An account that settlements are paid to. */
export type Account = Merchant['settlement_account'];
/** A change of the settlement account that is not in force yet. */
export type WaitingAccount = NonNullable<Merchant['pending_settlement_account']>;
/** What the operator takes of each collection, from a moment on. */
export type Fees = Merchant['fees'][number];

/** What a merchant begins with. */
export interface NewMerchant {
  name: string;
  /** Empty: the name. */
  legal_name: string;
  email: string;
  website: string;
  address: string;
  terms: string;
  settlement_account: Account;
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
  return useList(['merchants', filter], (part) =>
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

export function useRequestAccount(id: string) {
  return useMutation({
    mutationFn: (wish: { settlement_account: Account; reason: string }) =>
      admin.post<Merchant>(`${path(id)}/settlement_account`, wish),
  });
}

/** Has the bank check the name on the account that settlements go to. */
export function useCheckAccount(id: string) {
  return useMutation({
    mutationFn: () => admin.post<Merchant>(`${path(id)}/settlement_account/check`, {}),
  });
}

/** Agrees with the change that waits, as a second operator, or cancels it. */
export function useDecideAccount(id: string) {
  return useMutation({
    mutationFn: ({
      verb,
      ...body
    }: {
      verb: 'agree' | 'take_back';
      change_id: string;
      reason: string;
    }) => admin.post<Merchant>(`${path(id)}/settlement_account/${verb}`, body),
  });
}

export function useChangeScheme(id: string) {
  return useMutation({
    mutationFn: (change: Record<keyof Merchant['scheme'], string | null> & { reason: string }) =>
      admin.put<Merchant>(`${path(id)}/scheme`, change),
  });
}

export function useSetFees(id: string) {
  return useMutation({
    mutationFn: (fees: { fixed_pence: number; basis_points: number; from?: string }) =>
      admin.post<Merchant>(`${path(id)}/fees`, fees),
  });
}
