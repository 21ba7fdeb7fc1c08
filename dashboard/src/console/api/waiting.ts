import type { List } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import type { WaitingView } from '../../../../server/src/operators/payments/view.ts';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';

/** A payment that cannot end on its own. */
export type WaitingPayment = WaitingView;

/** An operator's word that a payment has failed. */
export interface FailureDecision {
  reason: string;
  evidence?: string;
  bank_is_silent?: boolean;
}

export function useWaiting() {
  return useList(['waiting'], async (part) => {
    const page = await admin.get<List<WaitingPayment>>('/payments/waiting', part);
    return { ...page, data: page.data.map((one) => ({ ...one, id: one.payment_id })) };
  });
}

export function useFailPayment(id: string) {
  return useMutation({
    mutationFn: (word: FailureDecision) =>
      admin.post<{ status: string }>(`/payments/${encodeURIComponent(id)}/fail`, word),
  });
}
