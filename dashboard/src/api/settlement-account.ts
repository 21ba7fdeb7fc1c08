import type { PayeeCheck } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { AccountChangesView } from '../../../server/src/dashboard/settlement-account/view.ts';
import { dashboard } from './client.ts';

export type { AccountChangesView };
export type PendingChange = NonNullable<AccountChangesView['pending']>;
export type AccountChange = AccountChangesView['changes'][number];

/** The proof of identity required before the account is changed. */
export interface Proof {
  password: string;
  code?: string;
}

/** The new account for settlements. */
export interface NewAccount {
  name: string;
  sort_code: string;
  account_number: string;
}

const PATH = '/api/settlement_account';
const changePath = (id: string): string => `${PATH}/changes/${encodeURIComponent(id)}`;

/** Fetches the pending change of the settlement account, and the latest ones. */
export function useAccountChanges() {
  return useQuery({
    queryKey: ['settlement-account'],
    queryFn: () => dashboard.get<AccountChangesView>(PATH),
  });
}

/** Has the bank check the name on an account. */
export function useCheckAccount() {
  return useMutation({
    mutationFn: (account: NewAccount) => dashboard.post<PayeeCheck>(`${PATH}/checks`, account),
  });
}

/** Requests a change of account; it takes effect after 24 hours. */
export function useAskForAccount() {
  return useMutation({
    mutationFn: (body: NewAccount & Proof) =>
      dashboard.post<AccountChangesView>(`${PATH}/changes`, body),
  });
}

/** Puts the pending change into force, as a second owner. */
export function useConfirmAccount(id: string) {
  return useMutation({
    mutationFn: (proof: Proof) =>
      dashboard.post<AccountChangesView>(`${changePath(id)}/confirm`, proof),
  });
}

/** Releases the pay-outs that wait after one owner alone changed the account, as a second owner. */
export function useReleaseHold(changeId: string) {
  return useMutation({
    mutationFn: (proof: Proof) =>
      dashboard.post<AccountChangesView>(`${changePath(changeId)}/release`, proof),
  });
}

/** Cancels the pending change. */
export function useCancelAccountChange(id: string) {
  return useMutation({ mutationFn: () => dashboard.delete<AccountChangesView>(changePath(id)) });
}
