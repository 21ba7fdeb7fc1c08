import { lockPayment } from '../payments/books/read-store.ts';
import type { Work } from '../platform/platform.ts';
import type { RefundOf } from '../refunds/service.ts';
import { cameBackOf, owedOf } from './dispute.ts';
import { endAsRefunded, notifyCustomer } from './service.ts';
import { moveToEnd, moveToReopened, moveToReturned } from './state-store.ts';
import { forgetWaitingRefund, lockStanding, subtractFailedRefund } from './store.ts';

/**
 * Follows a refund that failed, in its transaction: a dispute that counted on its money is open again, unless the payer's bank
 * gave that back. An earlier refund no longer counts as given back before the dispute. The caller holds the payment.
 */
export async function refundFailed(work: Work, refund: RefundOf): Promise<void> {
  const { merchantId, paymentId, refundId } = refund;
  const row = await lockStanding(work.tx, merchantId, paymentId);
  const payment = await lockPayment(work.tx, merchantId, paymentId);
  if (row === null || payment === null) return;
  if (row.refundsBefore.includes(refundId)) return subtractFailedRefund(work.tx, row, refund);
  if (row.status === 'open') return forgetWaitingRefund(work.tx, row, refundId);
  if (row.status !== 'refunded') return;
  const isCovered = cameBackOf(row, payment) >= (row.returnedPence ?? 0);
  if (isCovered && row.refundId !== refundId) return;
  const isAtBank = isCovered && payment.returnedPence !== null;
  await (isAtBank ? moveToReturned(work, row) : moveToReopened(work, row));
}

/** Ends the open dispute whose refund waited for the merchant's money, in the transaction that sets it apart. */
export async function refundSetApart(
  work: Work,
  { merchantId, paymentId, refundId }: RefundOf,
): Promise<void> {
  const row = await lockStanding(work.tx, merchantId, paymentId);
  if (row?.status === 'open' && row.refundId === refundId) await endAsRefunded(work, row, refundId);
}

/** Ends the open dispute of a payment that the payer's bank has taken back, in that transaction. The caller holds the payment. */
export async function paymentRecalled(
  work: Work,
  { merchantId, paymentId }: Pick<RefundOf, 'merchantId' | 'paymentId'>,
): Promise<void> {
  const row = await lockStanding(work.tx, merchantId, paymentId);
  const payment = await lockPayment(work.tx, merchantId, paymentId);
  if (row?.status !== 'open' || payment === null || owedOf(row, payment) > 0) return;
  const end = {
    status: 'returned' as const,
    returnedPence: cameBackOf(row, payment),
    refundId: null,
  };
  await moveToEnd(work, row, { ...end, why: "the payer's bank took the payment back" });
  await notifyCustomer(work, row, { ...end, outcome: 'returned' });
}
