import type { List } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import { useOffsetQuery } from '../../api/offsets.ts';
import { admin } from './client.ts';

/** A payment that cannot end on its own. */
export interface WaitingPayment {
  payment_id: string;
  merchant_id: string;
  amount: { value: number; currency: string };
  waits_for:
    | 'no_outcome'
    | 'credited_without_money'
    | 'wrong_amount'
    | 'not_transferred'
    | 'not_sent';
  since: string;
  age: string;
  bank_id: string;
  end_to_end_id: string;
  bank_payment_id: string | null;
  bank_status: string | null;
}

/** An operator's word that a payment has failed. */
export interface FailedWord {
  reason: string;
  evidence?: string;
  bank_is_silent?: boolean;
}

export function useWaiting() {
  return useOffsetQuery(['waiting'], async (part) => {
    const page = await admin.get<List<WaitingPayment>>('/payments/waiting', part);
    return { ...page, data: page.data.map((one) => ({ ...one, id: one.payment_id })) };
  });
}

export function useFailPayment(id: string) {
  return useMutation({
    mutationFn: (word: FailedWord) =>
      admin.post<{ status: string }>(`/payments/${encodeURIComponent(id)}/fail`, word),
  });
}
