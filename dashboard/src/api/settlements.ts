import type { Payment, Settlement, SettlementStatus } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { SettlementLedger } from '../../../server/src/dashboard/settlements/view.ts';
import { dashboard, recollect } from './client.ts';
import { useOffsetQuery } from './offsets.ts';

/** The settlements of a status, or all; the newest first, page by page. */
export function useSettlements(status: SettlementStatus | undefined) {
  return useOffsetQuery<Settlement>(['settlements', 'list', status], (part, options) =>
    recollect.settlements.list({ ...part, ...(status === undefined ? {} : { status }) }, options),
  );
}

/** One settlement. */
export function useSettlement(id: string) {
  return useQuery({
    queryKey: ['settlements', 'one', id],
    queryFn: ({ signal }) => recollect.settlements.get(id, { signal }),
  });
}

/** What a settlement pays out, page by page. */
export function useSettlementPayments(id: string) {
  return useOffsetQuery<Payment>(['settlements', 'payments', id], (part, options) =>
    recollect.settlements.payments(id, part, options),
  );
}

/** The number of a settlement in its three places, and its entries in the ledger. */
export function useSettlementLedger(id: string) {
  return useQuery({
    queryKey: ['settlements', 'ledger', id],
    queryFn: () =>
      dashboard.get<SettlementLedger>(`/api/settlements/${encodeURIComponent(id)}/ledger`),
  });
}

/** Pays a failed settlement out again. */
export function useRetrySettlement(id: string) {
  return useMutation({ mutationFn: () => recollect.settlements.retry(id) });
}
