import type { Payment, Settlement, SettlementQuery } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { SettlementLedger } from '../../../server/src/dashboard/settlements/view.ts';
import { dashboard, recollect } from './client.ts';
import { useList } from './list-query.ts';

/** Fetches the matching settlements, newest first, page by page. */
export function useSettlements(filter: SettlementQuery) {
  return useList<Settlement>(['settlements', 'list', filter], (part, options) =>
    recollect.settlements.list({ ...filter, ...part }, options),
  );
}

/** Fetches one settlement. */
export function useSettlement(id: string) {
  return useQuery({
    queryKey: ['settlements', 'one', id],
    queryFn: ({ signal }) => recollect.settlements.get(id, { signal }),
  });
}

/** Fetches the payments of a settlement, page by page. */
export function useSettlementPayments(id: string) {
  return useList<Payment>(['settlements', 'payments', id], (part, options) =>
    recollect.settlements.payments(id, part, options),
  );
}

/** Fetches a settlement's amount from its three sources, and its ledger entries. */
export function useSettlementLedger(id: string) {
  return useQuery({
    queryKey: ['settlements', 'ledger', id],
    queryFn: () =>
      dashboard.get<SettlementLedger>(`/api/settlements/${encodeURIComponent(id)}/ledger`),
  });
}

/** Retries the pay-out of a failed settlement. */
export function useRetrySettlement(id: string) {
  return useMutation({ mutationFn: () => recollect.settlements.retry(id) });
}
