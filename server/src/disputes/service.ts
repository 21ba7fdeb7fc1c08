import { findPayment, lockPayment, type PaymentRow } from '../payments/books/read-store.ts';
import type { Tx } from '../platform/db/db.ts';
import { type List, mapList, type Page } from '../platform/http/lists/page.ts';
import type { Asked, Platform, Work } from '../platform/platform.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { ApiError, invalid, notFound, orNotFound } from '../platform/values/errors.ts';
import { type Amount, toDecimal } from '../platform/values/money.ts';
import { stopRefund } from '../refunds/end.ts';
import { createRefund, type RefundDeps } from '../refunds/service.ts';
import { findRefund, findRefundsOf, lockRefund } from '../refunds/store.ts';
import { refuseTextOfErased } from '../schedules/change/service.ts';
import { describeAmount } from '../schedules/terms/describe.ts';
import { lockInSettlement } from '../wallets/ledger-store.ts';
import {
  cameBackOf,
  type DisputeReason,
  deadlineOf,
  type GivenBack,
  givenBack,
  owedOf,
  type RaisedBy,
} from './dispute.ts';
import { insertDispute, moveToEnd } from './state-store.ts';
import {
  type DisputeFilter,
  type DisputeRow,
  findDispute,
  findReturned,
  listDisputes,
  lockDispute,
  lockStanding,
  setWaitingRefund,
} from './store.ts';
import { sealText } from './texts.ts';
import { type DisputeView, viewDispute } from './view.ts';

export interface DisputeDeps {
  platform: Platform;
  refunds: RefundDeps;
}

/** What is disputed: without an amount, what the payment has not given back. */
export interface DisputeRequest {
  reason: DisputeReason;
  amount?: Amount;
  note?: string;
}

/**
 * Opens a dispute of a payment: docs/rules/disputes.md#opening-one. Throws 404 `not_found`; 409 `payment_not_disputable` unless
 * the payment succeeded and has something to give back, `payment_disputed` if one is open or gave money back.
 */
export async function openDispute(
  { platform }: Pick<DisputeDeps, 'platform'>,
  { tx, now, merchantId }: Asked,
  paymentId: string,
  { raisedBy, ...request }: DisputeRequest & { raisedBy: RaisedBy },
): Promise<DisputeView> {
  const payment = orNotFound(await lockPayment(tx, merchantId, paymentId), 'payment');
  const { scheduleId } = payment;
  await refuseTextOfErased(tx, { merchantId, scheduleId }, 'note', request.note);
  const amountPence = disputedOf(payment, request.amount);
  const standing = await lockStanding(tx, merchantId, paymentId);
  if (standing !== null)
    throw new ApiError(
      'payment_disputed',
      standing.status === 'open'
        ? 'This payment is disputed already: answer that dispute first.'
        : 'A dispute of this payment has given money back. Refund the rest of it, if any is due.',
    );
  const key = { merchantId, disputeId: platform.ids.next('dsp', now) };
  const row: DisputeRow = {
    ...key,
    paymentId,
    scheduleId: payment.scheduleId,
    raisedBy,
    reason: request.reason,
    amountPence,
    currency: payment.currency,
    note: sealText(platform.vault, key, 'note', request.note),
    status: 'open',
    deadlineAt: deadlineOf(request.reason, now),
    returnedBeforePence: givenBack(payment),
    refundsBefore: await findStandingRefunds(tx, merchantId, paymentId),
    refundId: null,
    returnedPence: null,
    answer: null,
    createdAt: now,
    endedAt: null,
  };
  await insertDispute({ platform, tx, now }, row);
  await notifyTeam({ platform, tx, now }, row);
  return viewDispute(platform.vault, row, payment);
}

/** Returns the ids of the refunds of a payment that have not failed. The caller holds the payment. */
async function findStandingRefunds(
  tx: Tx,
  merchantId: string,
  paymentId: string,
): Promise<string[]> {
  const refunds = await findRefundsOf(tx, merchantId, [paymentId]);
  return refunds.filter(({ status }) => status !== 'failed').map(({ refundId }) => refundId);
}

const inPounds = (pence: number): string => `GBP ${toDecimal(pence)}`;

/** Returns the amount of a dispute, in pence. Throws what `openDispute` does. */
function disputedOf(payment: PaymentRow, amount: Amount | undefined): number {
  if (payment.status !== 'success')
    throw new ApiError(
      'payment_not_disputable',
      `Only a payment that succeeded can be disputed; this one is ${payment.status}.`,
    );
  const left = Math.max(0, payment.amountPence - givenBack(payment));
  if (left === 0)
    throw new ApiError('payment_not_disputable', 'All of this payment was given back already.');
  if (amount !== undefined && amount.currency !== payment.currency)
    throw invalid({ 'amount.currency': `is not ${payment.currency}, as the payment's is` });
  const pence = amount?.value ?? left;
  if (pence > left)
    throw invalid({
      'amount.value': `is more than the ${inPounds(left)} that it has not given back`,
    });
  return pence;
}

/** Tells the merchant's team of a dispute and until when it has to be answered. */
async function notifyTeam({ platform, tx, now }: Work, row: DisputeRow): Promise<void> {
  await platform.notify(tx, now, [
    {
      merchantId: row.merchantId,
      kind: 'dispute_opened',
      causeId: row.disputeId,
      facts: {
        dispute_id: row.disputeId,
        amount: describeAmount(row.amountPence, row.currency),
        reason: row.reason,
        raised_by: row.raisedBy,
        deadline: formatInstant(row.deadlineAt),
      },
    },
  ]);
}

/** Tells the customer how their dispute ended; not where they took it back themselves. */
export async function notifyCustomer(
  { platform, tx, now }: Work,
  row: DisputeRow,
  facts: { outcome: string; returnedPence: number; answer?: string | undefined },
): Promise<void> {
  const payment = await findPayment(tx, row.merchantId, row.paymentId);
  await platform.notify(tx, now, [
    {
      merchantId: row.merchantId,
      kind: 'dispute_ended',
      causeId: `${row.disputeId} ${formatInstant(now)}`,
      customer: { scheduleId: row.scheduleId },
      facts: {
        outcome: facts.outcome,
        amount: describeAmount(row.amountPence, row.currency),
        returned: describeAmount(facts.returnedPence, row.currency),
        due_date: formatInstant(payment?.dueDate ?? row.createdAt),
        ...(facts.answer === undefined ? {} : { answer: facts.answer }),
      },
    },
  ]);
}

/** Locks the payment of a dispute and the dispute, in the order of refunds. Throws 404 `not_found`, 409 `dispute_ended`. */
async function lockOpen(
  tx: Tx,
  merchantId: string,
  disputeId: string,
): Promise<{ row: DisputeRow; payment: PaymentRow }> {
  const { paymentId } = orNotFound(await findDispute(tx, merchantId, disputeId), 'dispute');
  await lockInSettlement(tx, merchantId);
  const payment = orNotFound(await lockPayment(tx, merchantId, paymentId), 'payment');
  const row = orNotFound(await lockDispute(tx, merchantId, disputeId), 'dispute');
  if (row.status !== 'open')
    throw new ApiError('dispute_ended', `This dispute has ended: it is ${row.status}.`);
  return { row, payment };
}

/**
 * Gives back what a dispute asks for and ends it, in one transaction: docs/rules/disputes.md#refunding-one. What came back
 * meanwhile is not paid again. Where the merchant's wallet has less, the dispute stays open until the refund's money is set
 * apart. Throws what `lockOpen` and `createRefund` do; 409 `dispute_refund_waits` if a refund of it waits already.
 */
export async function refundDispute(
  { platform, refunds }: DisputeDeps,
  asked: Asked,
  disputeId: string,
  { amount }: { amount?: Amount },
): Promise<DisputeView> {
  const { tx, now, merchantId } = asked;
  const { row, payment } = await lockOpen(tx, merchantId, disputeId);
  if (row.refundId !== null)
    throw new ApiError(
      'dispute_refund_waits',
      `The refund ${row.refundId} of this dispute waits for money in your wallet.`,
    );
  const owed = owedOf(row, payment);
  if (amount !== undefined && amount.value > owed)
    throw new ApiError(
      'refund_exceeds_payment',
      `This dispute asks for ${inPounds(owed)} more: ${inPounds(cameBackOf(row, payment))} came back already.`,
    );
  if (owed === 0) {
    await endAsRefunded({ platform, tx, now }, row, null);
    return showDispute(platform, asked, disputeId);
  }
  const { id: refundId } = await createRefund(refunds, asked, row.paymentId, {
    amount: amount ?? { value: owed, currency: row.currency },
    disputeId,
  });
  const isWaiting = (await findRefund(tx, merchantId, refundId))?.stage === 'wait';
  await (isWaiting
    ? setWaitingRefund(tx, row, refundId)
    : endAsRefunded({ platform, tx, now }, row, refundId));
  return showDispute(platform, asked, disputeId);
}

/** Ends an open dispute whose money goes back by this refund; null: it came back already. The caller holds both. */
export async function endAsRefunded(
  work: Work,
  row: DisputeRow,
  refundId: string | null,
): Promise<void> {
  const payment = orNotFound(await findPayment(work.tx, row.merchantId, row.paymentId), 'payment');
  const returnedPence = cameBackOf(row, payment);
  const end = { status: 'refunded' as const, returnedPence, refundId };
  const why = refundId === null ? 'its money came back already' : 'refunded';
  await moveToEnd(work, row, { ...end, why });
  await notifyCustomer(work, row, { ...end, outcome: 'refunded' });
}

/** Fails the refund for whose money an open dispute waits, if there is one. The caller holds the dispute. */
async function stopWaitingRefund(
  { platform, refunds }: DisputeDeps,
  { tx, now, merchantId }: Asked,
  { refundId }: DisputeRow,
): Promise<void> {
  if (refundId === null) return;
  const refund = orNotFound(await lockRefund(tx, merchantId, refundId), 'refund');
  await stopRefund(refunds, { platform, tx, now }, refund, {
    code: 'dispute_closed',
    message: 'The dispute that it was for was rejected or withdrawn while it waited.',
  });
}

/** Rejects a dispute with an answer, which the customer reads. Throws 404 `not_found`, 409 `dispute_ended`. */
export async function rejectDispute(
  deps: DisputeDeps,
  asked: Asked,
  disputeId: string,
  answer: string,
): Promise<DisputeView> {
  const { platform } = deps;
  const { tx, now, merchantId } = asked;
  const { row } = await lockOpen(tx, merchantId, disputeId);
  await refuseTextOfErased(tx, row, 'answer', answer);
  await stopWaitingRefund(deps, asked, row);
  await moveToEnd({ platform, tx, now }, row, {
    ...NOTHING_BACK,
    status: 'rejected',
    answer: sealText(platform.vault, row, 'answer', answer),
    why: 'rejected',
  });
  await notifyCustomer({ platform, tx, now }, row, {
    outcome: 'rejected',
    returnedPence: 0,
    answer: answer.trim(),
  });
  return showDispute(platform, asked, disputeId);
}

const NOTHING_BACK = { returnedPence: 0, refundId: null } as const;

/**
 * Takes a dispute back, by whoever raised it: a merchant that took back a customer's would have ended it without an answer.
 * Throws 404 `not_found`, 409 `dispute_ended` or `dispute_not_yours`.
 */
export async function withdrawDispute(
  deps: DisputeDeps,
  asked: Asked,
  disputeId: string,
  by: RaisedBy,
): Promise<DisputeView> {
  const { platform } = deps;
  const { tx, now, merchantId } = asked;
  const { row } = await lockOpen(tx, merchantId, disputeId);
  if (row.raisedBy !== by)
    throw new ApiError(
      'dispute_not_yours',
      `The ${row.raisedBy} raised this dispute: only they can withdraw it.`,
    );
  await stopWaitingRefund(deps, asked, row);
  const end = { ...NOTHING_BACK, status: 'withdrawn' as const, why: 'withdrawn' };
  await moveToEnd({ platform, tx, now }, row, end);
  return showDispute(platform, asked, disputeId);
}

/** Returns one dispute. Throws 404 `not_found`. */
export async function showDispute(
  { vault }: Pick<Platform, 'vault'>,
  { tx, merchantId }: Pick<Asked, 'tx' | 'merchantId'>,
  disputeId: string,
): Promise<DisputeView> {
  const row = orNotFound(await findDispute(tx, merchantId, disputeId), 'dispute');
  const payment = orNotFound(await findPayment(tx, merchantId, row.paymentId), 'payment');
  return viewDispute(vault, row, payment);
}

/** Returns a page of disputes, newest first: of a payment (404 `not_found` for an unknown one), or of the merchant. */
export async function showDisputes(
  { vault }: Pick<Platform, 'vault'>,
  { tx, merchantId }: Asked,
  filter: DisputeFilter,
  page: Page,
): Promise<List<DisputeView>> {
  const { paymentId } = filter;
  if (paymentId !== undefined && (await findPayment(tx, merchantId, paymentId)) === null)
    throw notFound('payment');
  const rows = await listDisputes(tx, merchantId, filter, page);
  const payments = await findReturned(
    tx,
    merchantId,
    rows.data.map((row) => row.paymentId),
  );
  return mapList(rows, (row) => viewDispute(vault, row, payments.get(row.paymentId) ?? NO_PAYMENT));
}

const NO_PAYMENT: GivenBack = { amountPence: 0, refundedPence: null, returnedPence: null };
