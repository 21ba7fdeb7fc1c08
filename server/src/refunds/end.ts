import { lockPayment } from '../payments/books/read-store.ts';
import { addRefunded } from '../payments/books/settling-store.ts';
import type { Work } from '../platform/platform.ts';
import { isErased } from '../schedules/books/store.ts';
import { IN_SETTLEMENT, lockInSettlement, OUTSIDE, post } from '../wallets/ledger-store.ts';
import { findMerchantWallet } from '../wallets/store.ts';
import { failedData, successData } from './events.ts';
import { insertCreditLine } from './lines-store.ts';
import { postingOf, type RefundDeps } from './service.ts';
import {
  moveToCameBack,
  moveToNotPaid,
  moveToPaid,
  moveToStopped,
  type RefundError,
} from './state-store.ts';
import { eraseDestination, lockRefundOf, lockUnordered, type RefundRow } from './store.ts';

/** Records that a refund was paid: state, posting and event together. */
export async function recordPaid(
  work: Work,
  row: RefundRow,
  movementId: string | null,
): Promise<void> {
  const { platform, tx, now } = work;
  await lockInSettlement(tx, row.merchantId);
  await moveToPaid(work, row, {
    movementId,
    book: () => post({ platform, tx, now }, [postingOf(row, 'refund_out', IN_SETTLEMENT, OUTSIDE)]),
    data: successData(now, row),
  });
  await forgetAccountOfErased(work, row);
}

/** Records that the issuer did not pay a refund: its money is in the merchant's wallet again. */
export async function recordNotPaid(
  deps: RefundDeps,
  work: Work,
  row: RefundRow,
  error: RefundError,
): Promise<void> {
  await lockMerchantAndPayment(work, row);
  await moveToNotPaid(work, row, failureOf(deps, work, row, error));
  await forgetAccountOfErased(work, row);
}

/** Erases the account of a refund that has ended if its customer was erased before: no other erasure comes by. */
async function forgetAccountOfErased({ tx }: Work, row: RefundRow): Promise<void> {
  if (await isErased(tx, row)) await eraseDestination(tx, row);
}

/** Ends a refund for which nothing was ordered; one that waited for money has none to give back. */
export async function stopRefund(
  deps: RefundDeps,
  work: Work,
  row: RefundRow,
  error: RefundError,
): Promise<void> {
  await lockMerchantAndPayment(work, row);
  await moveToStopped(work, row, failureOf(deps, work, row, error));
}

/** Locks the merchant's `in_settlement` account and the payment, in the order in which refunds are created. */
async function lockMerchantAndPayment({ tx }: Work, row: RefundRow): Promise<void> {
  await lockInSettlement(tx, row.merchantId);
  await lockPayment(tx, row.merchantId, row.paymentId);
}

/** Returns what is written when a refund fails: its money goes back to the wallet, and counts as not refunded. */
function failureOf(
  { payOutOf, refundFailed }: RefundDeps,
  work: Work,
  row: RefundRow,
  error: RefundError,
) {
  const { platform, tx, now } = work;
  return {
    error,
    data: failedData(now, row, error),
    async book() {
      const { merchantId, paymentId } = row;
      await addRefunded(tx, { merchantId, paymentId }, -row.amountPence);
      await refundFailed(work, row);
      if (row.stage === 'wait') return;
      const wallet = await walletOf(tx, merchantId);
      await post({ platform, tx, now }, [postingOf(row, 'refund_back', IN_SETTLEMENT, wallet)]);
      await insertCreditLine(tx, row, payOutOf(now));
    },
  };
}

async function walletOf(tx: Work['tx'], merchantId: string): Promise<string> {
  const wallet = await findMerchantWallet(tx, merchantId);
  if (wallet === null) throw new Error(`merchant ${merchantId} has no wallet`);
  return wallet.walletId;
}

/** The issuer's report of money that was taken back. */
export interface ReversedMoney {
  merchantId: string;
  /** The issuer's id of the movement. */
  movementId: string;
  /** The pay-in that was recalled, or the pay-out that came back. */
  originalMovementId: string;
  amountPence: number;
  reason: { code: string; message: string };
}

/**
 * The outcome of a pay-out's return: it is recorded, or it is no settlement's or refund's as it was paid out. `of` is the one
 * that it was; null: none that we know.
 */
export type Return = { kind: 'recorded' } | { kind: 'unmatched'; of: string | null };

/**
 * Records that the pay-out of a refund came back: the refund fails, and the money is in the merchant's wallet again. Null: the
 * pay-out was not a refund's. A repeat changes nothing.
 */
export async function recordRefundReturn(
  deps: RefundDeps,
  work: Work,
  back: ReversedMoney,
): Promise<Return | null> {
  const { platform, tx, now } = work;
  const { merchantId, movementId, originalMovementId, amountPence } = back;
  await lockInSettlement(tx, merchantId);
  let row = await lockRefundOf(tx, merchantId, originalMovementId);
  if (row === null) return null;
  if (row.status === 'processing') {
    await recordPaid(work, row, originalMovementId);
    row = await lockRefundOf(tx, merchantId, originalMovementId);
  }
  if (row?.returnMovementId === movementId) return { kind: 'recorded' };
  if (row?.status !== 'success' || row.amountPence !== amountPence)
    return { kind: 'unmatched', of: row?.refundId ?? null };
  const returned = row;
  await lockPayment(tx, merchantId, returned.paymentId);
  const error = { code: 'refund_returned', message: back.reason.message };
  await moveToCameBack(work, returned, {
    movementId,
    error,
    data: failedData(now, returned, error),
    async book() {
      const refunded = { merchantId, paymentId: returned.paymentId };
      await addRefunded(tx, refunded, -amountPence);
      await deps.refundFailed(work, returned);
      const credit = await walletOf(tx, merchantId);
      const kind = 'pay_out_return' as const;
      await post({ platform, tx, now }, [
        { merchantId, kind, debit: OUTSIDE, credit, amountPence, sourceId: movementId },
      ]);
      await insertCreditLine(tx, returned, deps.payOutOf(now));
    },
  });
  return { kind: 'recorded' };
}

/**
 * Stops the refunds of a payment for which nothing was ordered, because the payer's bank recalled the payment: the customer has
 * the money already. The caller holds the `in_settlement` account and the payment.
 */
export async function stopRefundsOf(
  deps: RefundDeps,
  work: Work,
  { merchantId, paymentId }: { merchantId: string; paymentId: string },
): Promise<void> {
  const error = {
    code: 'payment_returned',
    message: "The payer's bank has taken the payment back: the customer has the money.",
  };
  for (const row of await lockUnordered(work.tx, merchantId, paymentId))
    await stopRefund(deps, work, row, error);
  await deps.paymentRecalled(work, { merchantId, paymentId });
}
