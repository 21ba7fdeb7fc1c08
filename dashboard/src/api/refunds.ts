import type { NewRefund, Refund, RefundQuery } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import { recollect } from './client.ts';
import { useList } from './list-query.ts';

/** Fetches the matching refunds, newest first, page by page. */
export function useRefunds(filter: RefundQuery) {
  return useList<Refund>(['refunds', 'list', filter], (part, options) =>
    recollect.refunds.list({ ...filter, ...part }, options),
  );
}

/** Fetches the refunds of a payment, newest first. */
export function useRefundsOf(paymentId: string, enabled: boolean) {
  return useList<Refund>(
    ['refunds', 'payment', paymentId],
    (part, options) => recollect.payments.refunds(paymentId, part, options),
    { enabled },
  );
}

/** Refunds a payment, whole or in part. */
export function useRefundPayment(paymentId: string) {
  return useMutation({
    mutationFn: (refund: NewRefund) => recollect.payments.refund(paymentId, refund),
  });
}
