import type { DisputeRefund, DisputeRejection, List, NewDispute } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { DisputeItem } from '../../../server/src/dashboard/disputes/view.ts';
import { dashboard, recollect } from './client.ts';
import { useList } from './list-query.ts';

export type { DisputeItem };

/** The filter of a list of disputes; `from` and `to` are ISO 8601 and apply to when they were raised, amounts are pence. */
export interface DisputeFilter {
  status?: string;
  reason?: string;
  payment_id?: string;
  from?: string;
  to?: string;
  amount_from?: number;
  amount_to?: number;
}

/** Fetches the matching disputes, newest first, page by page, with what the dashboard shows beside them. */
export function useDisputes(filter: DisputeFilter, enabled = true) {
  return useList<DisputeItem>(
    ['disputes', 'list', filter],
    (part) => dashboard.get<List<DisputeItem>>('/api/v1/disputes', { ...filter, ...part }),
    { enabled },
  );
}

/** Fetches one dispute. */
export function useDispute(id: string) {
  return useQuery({
    queryKey: ['disputes', 'one', id],
    queryFn: ({ signal }) => recollect.disputes.get(id, { signal }),
  });
}

/** Disputes a payment for its customer. */
export function useDisputePayment(paymentId: string) {
  return useMutation({
    mutationFn: (dispute: NewDispute) => recollect.payments.dispute(paymentId, dispute),
  });
}

/** Gives back what a dispute asks for and ends it. */
export function useRefundDispute(id: string) {
  return useMutation({
    mutationFn: (refund: DisputeRefund) => recollect.disputes.refund(id, refund),
  });
}

/** Ends a dispute without money, with an answer. */
export function useRejectDispute(id: string) {
  return useMutation({
    mutationFn: (rejection: DisputeRejection) => recollect.disputes.reject(id, rejection),
  });
}

/** Takes a dispute back for the customer. */
export function useWithdrawDispute(id: string) {
  return useMutation({ mutationFn: () => recollect.disputes.withdraw(id) });
}
