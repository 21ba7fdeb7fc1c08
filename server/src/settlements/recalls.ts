import { findBooked, forgetLate } from '../payments/books/candidate-store.ts';
import {
  lockPaidBy,
  markReturned,
  type RecalledPayment,
} from '../payments/books/settling-store.ts';
import { findItemOf, type ItemRow, lockOpenItemOf } from '../payments/books/unallocated-store.ts';
import { recordEnd } from '../payments/outcomes/record-item.ts';
import type { PAYMENT_EVENTS } from '../payments/payment/events.ts';
import type { Tx } from '../platform/db/db.ts';
import { findWaiting } from '../platform/inbox.ts';
import type { Work } from '../platform/platform.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import { appendEvents, type DataOf } from '../platform/state/events.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { derivedId } from '../platform/values/ids.ts';
import { type ReversedMoney, stopRefundsOf } from '../refunds/end.ts';
import type { RefundDeps } from '../refunds/service.ts';
import {
  IN_SETTLEMENT,
  lockInSettlement,
  OUTSIDE,
  OWED,
  openAccounts,
  post,
  UNALLOCATED,
} from '../wallets/ledger-store.ts';
import { ISSUER_SOURCE, type StoredNotice } from '../wallets/routes.ts';
import { externalReference } from '../wallets/service.ts';
import { lockWallet } from '../wallets/store.ts';
import { insertDebt, isRecorded } from './debt-store.ts';

/** The issuer's account to which recalled pay-ins are covered. */
const ISSUER_ACCOUNT = 'recalls';

/**
 * Records that the payer's bank recalled a pay-in. What paid for a payment is owed by the merchant: the payment stays as it is
 * and shows what was returned. What is on the unallocated list covers the issuer from its wallet. A pay-in may be both. Refunds
 * of the payment that were not ordered yet are stopped. A repeat changes nothing; what was given away or recalled before is a
 * difference of the reconciliation until a person resolves it. Returns false if the pay-in is not in our books yet, and the
 * recall may wait for it.
 */
export async function recordRecall(
  refunds: RefundDeps,
  work: Work,
  recall: ReversedMoney,
  mayWait: boolean,
): Promise<boolean> {
  const { merchantId, movementId, originalMovementId, amountPence } = recall;
  await lockInSettlement(work.tx, merchantId); // always before the payment, as refunds do
  const item = await lockOpenItem(work, recall);
  const payment = await lockPaidBy(work.tx, merchantId, originalMovementId);
  if (await isRecorded(work.tx, merchantId, movementId)) return true;
  const isKnown = payment !== null || item !== null || (await isBooked(work, recall));
  if (!isKnown && mayWait) return false;
  const leftPence = payment === null ? 0 : payment.amountPence - payment.returnedPence;
  const paidPence = Math.min(leftPence, amountPence);
  const isOnList = item !== null && item.amountPence === amountPence - paidPence;
  const foundPence = isOnList ? amountPence : paidPence;
  if (foundPence < amountPence)
    work.platform.log.report('settlement.recall_unmatched', {
      movement_id: movementId,
      original_movement_id: originalMovementId,
    });
  if (foundPence === 0) return true;
  await openAccounts(work.tx, merchantId, [{ accountId: OWED, kind: 'owed' }]);
  const booked = { merchantId, amountPence: foundPence, sourceId: movementId };
  await post(work, [{ ...booked, kind: 'recall', debit: OWED, credit: OUTSIDE }]);
  if (payment !== null && paidPence > 0) {
    await oweForPayment(work, recall, payment, paidPence);
    await stopRefundsOf(refunds, work, { merchantId, paymentId: payment.paymentId });
  }
  if (isOnList) await coverFromItem(work, recall, item);
  return true;
}

/** Whether the recalled pay-in is in our books, whatever it paid for. */
async function isBooked({ tx }: Work, { merchantId, originalMovementId }: ReversedMoney) {
  const payIn = { merchantId, movementId: originalMovementId };
  return (await findBooked(tx, [payIn])).size > 0;
}

/**
 * Whether a recall of this merchant waits although its pay-in is in our books by now: it is booked within minutes, and its money
 * must not be paid out before.
 */
export async function mustBookRecalls(tx: Tx, merchantId: string): Promise<boolean> {
  // The merchant as the name of any of their wallets begins: a bare id would be taken for a key of what is read.
  const waiting = await findWaiting(tx, ISSUER_SOURCE, externalReference(merchantId, ''));
  const recalled = waiting.flatMap(({ body }) => {
    const notice = JSON.parse(body) as StoredNotice;
    return notice.kind === 'recalled' ? [notice.originalMovementId] : [];
  });
  const payIns = recalled.map((movementId) => ({ merchantId, movementId }));
  return (await findBooked(tx, payIns)).size > 0;
}

/** Locks the wallet and the item of money that is still on the unallocated list; null: there is none. */
async function lockOpenItem(
  { tx }: Work,
  { merchantId, originalMovementId }: ReversedMoney,
): Promise<ItemRow | null> {
  const found = await findItemOf(tx, merchantId, originalMovementId);
  if (found === null) return null;
  await lockWallet(tx, merchantId, found.walletId);
  return lockOpenItemOf(tx, merchantId, originalMovementId);
}

/** Makes the merchant owe what paid for a payment, and reports it. No wallet changes: the issuer has paid. */
async function oweForPayment(
  work: Work,
  recall: ReversedMoney,
  payment: RecalledPayment,
  amountPence: number,
): Promise<void> {
  const { merchantId } = recall;
  const { paymentId, scheduleId, currency } = payment;
  const debt = {
    ...debtOf(work, recall),
    paymentId,
    walletId: null,
    amountPence,
  };
  await insertDebt(work.tx, debt, work.now);
  await markReturned(work.tx, debt, work.now);
  const reason = `${paymentId}: ${recall.reason.code}`;
  const change = { objectId: debt.debtId, scheduleId, from: null, to: 'owed', reason };
  await recordChanges(work.tx, work.now, [{ merchantId, ...change }]);
  await appendEvents(work, [
    {
      merchantId,
      kind: 'collection.returned',
      scheduleId,
      subjectId: paymentId,
      data: {
        payment_id: paymentId,
        schedule_id: scheduleId,
        amount: { value: amountPence, currency },
        reason: debt.reason,
        returned_at: formatInstant(work.now),
      } satisfies DataOf<typeof PAYMENT_EVENTS, 'collection.returned'>,
    },
  ]);
}

/** Ends the item as returned: its money, still in its wallet, covers the issuer. */
async function coverFromItem(work: Work, recall: ReversedMoney, item: ItemRow): Promise<void> {
  const { merchantId, originalMovementId } = recall;
  const { walletId, amountPence } = item;
  const debt = { ...debtOf(work, recall, walletId), paymentId: null, walletId, amountPence };
  await insertDebt(work.tx, debt, work.now);
  const apart = { debit: UNALLOCATED, credit: IN_SETTLEMENT, sourceId: debt.debtId };
  await post(work, [{ merchantId, kind: 'net', amountPence, ...apart }]);
  await forgetLate(work.tx, merchantId, originalMovementId);
  await recordEnd(work, item, {
    status: 'returned',
    by: 'the issuer',
    confirmedBy: null,
    reason: `recalled by the payer's bank: ${recall.reason.message}`,
    paid: null,
  });
}

/**
 * Returns what every debt of a recall has. Its id is derived from the recall: a database that has lost the debt orders its cover
 * under the same key again, and the issuer recognises it.
 */
function debtOf({ platform }: Work, recall: ReversedMoney, walletId = '') {
  const { merchantId, movementId } = recall;
  const name = `${merchantId} ${movementId} ${walletId}`.trimEnd();
  return {
    merchantId,
    debtId: derivedId('dbt', NO_TIME, platform.vault.index(name, 'debt-id')),
    movementId,
    reason: recall.reason.message,
    issuerAccount: ISSUER_ACCOUNT,
  };
}

/** Two reports of one recall may have different times. */
const NO_TIME = Temporal.Instant.fromEpochMilliseconds(0);
