import type { List, Settlement, SettlementQuery } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { PaymentItem } from '../../../server/src/dashboard/payments/view.ts';
import type { StatementMatches } from '../../../server/src/dashboard/settlements/match/view.ts';
import type { SettlementLedger } from '../../../server/src/dashboard/settlements/view.ts';
import { dashboard, recollect } from './client.ts';
import { useList } from './list-query.ts';
import { REPORTS } from './reports.ts';

/** Fetches the matching settlements, newest first, page by page. */
export function useSettlements(filter: SettlementQuery) {
  return useList<Settlement>(['settlements', 'list', filter], (part, options) =>
    recollect.settlements.list({ ...filter, ...part }, options),
  );
}

/** Fetches one settlement; idle for null. */
export function useSettlement(id: string | null) {
  return useQuery({
    queryKey: ['settlements', 'one', id],
    queryFn: ({ signal }) => recollect.settlements.get(id ?? '', { signal }),
    enabled: id !== null,
  });
}

/** Fetches the payments of a settlement, page by page. */
export function useSettlementPayments(id: string) {
  return useList(['settlements', 'payments', id], (part) =>
    dashboard.get<List<PaymentItem>>(
      `/api/v1/settlements/${encodeURIComponent(id)}/payments`,
      part,
    ),
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

/** Finds the settlements of a bank statement, as of the moment; idle while there is none. It is forgotten with the page. */
export function useStatementMatches(statement: string) {
  return useQuery({
    queryKey: [REPORTS, 'match', statement],
    queryFn: () => dashboard.post<StatementMatches>('/api/settlements/match', { statement }),
    enabled: statement.trim() !== '',
    retry: false,
    gcTime: 0,
  });
}

/** Retries the pay-out of a failed settlement. */
export function useRetrySettlement(id: string) {
  return useMutation({ mutationFn: () => recollect.settlements.retry(id) });
}
