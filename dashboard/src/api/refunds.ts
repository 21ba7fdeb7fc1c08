import type { NewRefund, Refund, RefundStatus } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import { recollect } from './client.ts';
import { useOffsetQuery } from './offsets.ts';

/** Fetches the refunds with a status, or all, newest first, page by page. */
export function useRefunds(status: RefundStatus | undefined) {
  return useOffsetQuery<Refund>(['refunds', 'list', status], (part, options) =>
    recollect.refunds.list({ ...part, ...(status === undefined ? {} : { status }) }, options),
  );
}

/** Fetches the refunds of a payment, newest first. */
export function useRefundsOf(paymentId: string, enabled: boolean) {
  return useOffsetQuery<Refund>(
    ['refunds', 'payment', paymentId],
    (part, options) => recollect.payments.refunds(paymentId, part, options),
    enabled,
  );
}

/** Refunds a payment, whole or in part. */
export function useRefundPayment(paymentId: string) {
  return useMutation({
    mutationFn: (refund: NewRefund) => recollect.payments.refund(paymentId, refund),
  });
}
