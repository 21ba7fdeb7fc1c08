import { useMutation, useQuery } from '@tanstack/react-query';
import type { PaymentEvidence, PaymentItem } from '../../../server/src/dashboard/payments/view.ts';
import { dashboard, recollect } from './client.ts';
import { useCursorQuery } from './cursor-query.ts';

/** What a list of payments is narrowed to; `from` and `to` are ISO 8601, of the due date. */
export interface PaymentFilter {
  search?: string;
  status?: string;
  schedule_id?: string;
  customer_id?: string;
  from?: string;
  to?: string;
}

/** The payments that fit, the newest first, page by page. */
export function usePayments(filter: PaymentFilter) {
  return useCursorQuery<PaymentItem>('/api/payments', { ...filter });
}

/** One payment with its attempts. */
export function usePayment(id: string) {
  return useQuery({
    queryKey: ['payments', 'one', id],
    queryFn: ({ signal }) => recollect.payments.get(id, { signal }),
  });
}

/** What proves a payment. */
export function usePaymentEvidence(id: string) {
  return useQuery({
    queryKey: ['payments', 'evidence', id],
    queryFn: () =>
      dashboard.get<PaymentEvidence>(`/api/payments/${encodeURIComponent(id)}/evidence`),
  });
}

/** Tries a failed payment again by hand. */
export function useRetryPayment(id: string) {
  return useMutation({ mutationFn: () => recollect.payments.retry(id) });
}
