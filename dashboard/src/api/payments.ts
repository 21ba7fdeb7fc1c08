import type { List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { PaymentEvidence, PaymentItem } from '../../../server/src/dashboard/payments/view.ts';
import { dashboard, recollect } from './client.ts';
import { useList } from './list-query.ts';

/** The filter of a list of payments; `from` and `to` are ISO 8601 and apply to the due date, amounts are pence. */
export interface PaymentFilter {
  q?: string;
  status?: string;
  error_code?: string;
  bank_id?: string;
  schedule_id?: string;
  customer_id?: string;
  from?: string;
  to?: string;
  amount_from?: number;
  amount_to?: number;
  sort?: string;
}

/** Fetches the matching payments page by page, with what the dashboard shows beside them. */
export function usePayments(filter: PaymentFilter) {
  return useList(['payments', 'list', filter], (part) =>
    dashboard.get<List<PaymentItem>>('/api/v1/payments', { ...filter, ...part }),
  );
}

const WAITING_MS = 15_000;

/** Fetches one payment with its attempts. */
export function usePayment(id: string) {
  return useQuery({
    queryKey: ['payments', 'one', id],
    queryFn: ({ signal }) => recollect.payments.get(id, { signal }),
    // A try that failed again changes nothing that the pulse tells of.
    refetchInterval: ({ state }) => (state.data?.not_sent ? WAITING_MS : false),
  });
}

/** Fetches the evidence of a payment. */
export function usePaymentEvidence(id: string) {
  return useQuery({
    queryKey: ['payments', 'evidence', id],
    queryFn: () =>
      dashboard.get<PaymentEvidence>(`/api/payments/${encodeURIComponent(id)}/evidence`),
  });
}

/** Retries a failed payment by hand. */
export function useRetryPayment(id: string) {
  return useMutation({ mutationFn: () => recollect.payments.retry(id) });
}
