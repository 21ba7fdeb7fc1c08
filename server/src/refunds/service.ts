import { findPayment, lockPayment, type PaymentRow } from '../payments/books/read-store.ts';
import { addRefunded } from '../payments/books/settling-store.ts';
import type { Tx } from '../platform/db/db.ts';
import { type List, mapList, type Page } from '../platform/http/lists/page.ts';
import type { Asked, Platform, Work } from '../platform/platform.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import { ApiError, invalid, notFound, orNotFound } from '../platform/values/errors.ts';
import { type Amount, toDecimal } from '../platform/values/money.ts';
import { refuseTextOfErased } from '../schedules/change/service.ts';
import { IN_SETTLEMENT, lockInSettlement, type Posting, post } from '../wallets/ledger-store.ts';
import { insertLine } from './lines-store.ts';
import { leftToRefund, nextTryAt, refundIdOf } from './refund.ts';
import { insertRefund, type NewRefund } from './state-store.ts';
import { countRefunds, findRefund, listRefunds, type RefundFilter } from './store.ts';
import { type RefundView, viewRefund } from './view.ts';

export interface RefundDeps {
  platform: Platform;
  /** Whether a refund may wait where the merchant's wallet holds less. */
  mayWait(tx: Tx, merchantId: string): Promise<boolean>;
  /** What a merchant may take from its wallet: the balance less what it owes; null: it has no wallet. */
  availableOf(tx: Tx, merchantId: string): Promise<{ walletId: string; pence: number } | null>;
  /** When money that is back in the merchant's wallet at this moment is paid out. */
  payOutOf(at: Temporal.Instant): Temporal.Instant;
  /** What follows a refund that failed, in its transaction. The payment is locked. */
  refundFailed(work: Work, refund: RefundOf): Promise<void>;
  /** What follows when the money of a refund that waited is set apart, in that transaction. The payment is locked. */
  refundSetApart(work: Work, refund: RefundOf): Promise<void>;
  /** What follows when the payer's bank took a payment back, in that transaction. The payment is locked. */
  paymentRecalled(work: Work, payment: { merchantId: string; paymentId: string }): Promise<void>;
}

/** A refund of a payment. */
export type RefundOf = Pick<NewRefund, 'merchantId' | 'paymentId' | 'refundId' | 'amountPence'>;

/** What is asked for: without an amount, what is not yet refunded. */
export interface RefundRequest {
  amount?: Amount;
  /** What a person wrote. */
  reason?: string;
  /** The dispute that it pays: its reason, and it waits for the merchant's money whatever the merchant's setting. */
  disputeId?: string;
}

/**
 * Refunds a payment, whole or in part: its money is set apart at once, or the refund waits for it. Throws 404 `not_found`; 400
 * for a reason where the customer was erased; 409
 * `payment_not_refundable` unless it succeeded, `refund_exceeds_payment` if less is left, `insufficient_balance` if the
 * merchant's wallet holds less and the merchant's refunds do not wait.
 */
export async function createRefund(
  deps: RefundDeps,
  asked: Asked,
  paymentId: string,
  request: RefundRequest,
): Promise<RefundView> {
  const { tx, now, merchantId } = asked;
  const { disputeId } = request;
  const { scheduleId } = orNotFound(await findPayment(tx, merchantId, paymentId), 'payment');
  await refuseTextOfErased(tx, { merchantId, scheduleId }, 'reason', request.reason);
  const reason = disputeId === undefined ? request.reason : `dispute ${disputeId}`;
  await lockInSettlement(tx, merchantId); // always before the payment, as settlements do
  const payment = orNotFound(await lockPayment(tx, merchantId, paymentId), 'payment');
  const amountPence = amountOf(payment, request);
  const number = (await countRefunds(tx, merchantId, paymentId)) + 1;
  const of = { merchantId, paymentId, dueDate: payment.dueDate, number, amountPence };
  const refund: NewRefund = {
    merchantId,
    refundId: refundIdOf(deps.platform.vault, of),
    paymentId,
    scheduleId,
    amountPence,
    currency: payment.currency,
    reason: reason ?? null,
  };
  const walletId = await walletWith(deps, tx, merchantId, amountPence);
  if (walletId === null && disputeId === undefined && !(await deps.mayWait(tx, merchantId)))
    throw new ApiError(
      'insufficient_balance',
      `Your wallet holds less than ${inPounds(refund.amountPence)} besides what you owe. ` +
        'Refund it after the next collections, ' +
        'or let refunds wait for them (refunds_wait).',
    );
  const isWaiting = walletId === null;
  const dueAt = isWaiting ? (nextTryAt(now, now) ?? now) : now;
  await insertRefund(tx, now, refund, { isWaiting, dueAt });
  await addRefunded(tx, { merchantId, paymentId }, amountPence);
  const change = { merchantId, objectId: refund.refundId, scheduleId: refund.scheduleId };
  const why = reason === undefined ? 'asked for' : `asked for: ${reason}`;
  await recordChanges(tx, now, [{ ...change, from: null, to: 'pending', reason: why }]);
  if (walletId !== null) await reserveRefund(deps.platform, asked, refund, walletId);
  return showRefund(asked, refund.refundId);
}

const inPounds = (pence: number): string => `GBP ${toDecimal(pence)}`;

/** Returns the amount of a refund, in pence. Throws what `createRefund` does. */
function amountOf(payment: PaymentRow, { amount }: RefundRequest): number {
  if (payment.status !== 'success')
    throw new ApiError(
      'payment_not_refundable',
      `Only a payment that succeeded can be refunded; this one is ${payment.status}.`,
    );
  if (amount !== undefined && amount.currency !== payment.currency)
    throw invalid({ 'amount.currency': `is not ${payment.currency}, as the payment's is` });
  const left = leftToRefund({
    amountPence: payment.amountPence,
    refundedPence: payment.refundedPence ?? 0,
    returnedPence: payment.returnedPence ?? 0,
  });
  const pence = amount?.value ?? left;
  if (left > 0 && pence <= left) return pence;
  const sentence =
    left === 0
      ? 'Nothing of this payment is left to refund.'
      : `Only ${inPounds(left)} of this payment is left to refund.`;
  throw new ApiError('refund_exceeds_payment', sentence);
}

/** Returns the merchant's wallet if this amount may be taken from it. The caller holds the `in_settlement` account. */
export async function walletWith(
  { availableOf }: Pick<RefundDeps, 'availableOf'>,
  tx: Tx,
  merchantId: string,
  amountPence: number,
): Promise<string | null> {
  const available = await availableOf(tx, merchantId);
  return available === null || available.pence < amountPence ? null : available.walletId;
}

/** Sets a refund's money apart from the merchant's wallet in the ledger, and from the next settlement. */
export async function reserveRefund(
  { ids }: Platform,
  { tx, now }: Pick<Asked, 'tx' | 'now'>,
  refund: NewRefund,
  walletId: string,
): Promise<void> {
  await insertLine(tx, refund);
  await post({ platform: { ids }, tx, now }, [
    postingOf(refund, 'refund', walletId, IN_SETTLEMENT),
  ]);
}

type Moved = Pick<NewRefund, 'merchantId' | 'refundId' | 'amountPence'>;

/** Returns a posting of a refund's money. */
export const postingOf = (
  row: Moved,
  kind: Posting['kind'],
  debit: string,
  credit: string,
): Posting => ({
  merchantId: row.merchantId,
  kind,
  debit,
  credit,
  amountPence: row.amountPence,
  sourceId: row.refundId,
});

/** Returns one refund. Throws 404 `not_found`. */
export async function showRefund({ tx, merchantId }: Asked, refundId: string): Promise<RefundView> {
  const row = orNotFound(await findRefund(tx, merchantId, refundId), 'refund');
  return viewRefund(row);
}

/** Returns a page of refunds, newest first: of a payment (404 `not_found` for an unknown one), or of the merchant. */
export async function showRefunds(
  { tx, merchantId }: Asked,
  filter: RefundFilter,
  page: Page,
): Promise<List<RefundView>> {
  const { paymentId } = filter;
  if (paymentId !== undefined && (await findPayment(tx, merchantId, paymentId)) === null)
    throw notFound('payment');
  return mapList(await listRefunds(tx, merchantId, filter, page), viewRefund);
}
