import type { PAYMENT_EVENTS } from '../payments/events.ts';
import { lockPaidBy, markReturned } from '../payments/settling-store.ts';
import { recordEnd } from '../payments/unallocated/record-item.ts';
import { findItemOf, lockItemOf } from '../payments/unallocated/store.ts';
import { recordChanges } from '../platform/audit-trail.ts';
import { formatInstant } from '../platform/calendar.ts';
import { appendEvents, type DataOf } from '../platform/events.ts';
import type { Work } from '../platform/platform.ts';
import {
  IN_SETTLEMENT,
  OUTSIDE,
  OWED,
  openAccounts,
  post,
  UNALLOCATED,
} from '../wallets/ledger-store.ts';
import { lockWallet } from '../wallets/store.ts';
import { insertDebt, isRecorded } from './debt-store.ts';

/** The issuer's report of money that was taken back. */
export interface TakenBack {
  merchantId: string;
  /** The issuer's id of the movement. */
  movementId: string;
  /** The pay-in that was recalled, or the pay-out that came back. */
  originalMovementId: string;
  amountPence: number;
  reason: { code: string; message: string };
}

/** The issuer's account to which recalled pay-ins are covered. */
const ISSUER_ACCOUNT = 'recalls';

/**
 * Records that the payer's bank recalled a pay-in that had paid for a payment. The payment stays as it is and shows what was
 * returned; the merchant owes it. No wallet changes: the issuer has paid, and wants it covered. A repeat changes nothing.
 */
export async function takeRecall(work: Work, recall: TakenBack): Promise<void> {
  const { merchantId, movementId, amountPence } = recall;
  const payment = await lockPaidBy(work.tx, merchantId, recall.originalMovementId);
  if (payment === null) return takeRecallOfItem(work, recall);
  const debt = {
    merchantId,
    debtId: work.platform.ids.next('dbt', work.now),
    movementId,
    paymentId: payment.payment_id,
    walletId: null,
    amountPence,
    reason: recall.reason.message,
    issuerAccount: ISSUER_ACCOUNT,
  };
  if (!(await insertDebt(work.tx, debt, work.now))) return;
  await openAccounts(work.tx, merchantId, [{ accountId: OWED, kind: 'owed' }]);
  await post(work.tx, work.platform.ids, work.now, [
    { merchantId, kind: 'recall', debit: OWED, credit: OUTSIDE, amountPence, sourceId: movementId },
  ]);
  await markReturned(work.tx, debt, work.now);
  await recordChanges(work.tx, work.now, [
    {
      merchantId,
      objectId: debt.debtId,
      scheduleId: payment.schedule_id,
      from: null,
      to: 'owed',
      reason: `${payment.payment_id}: ${recall.reason.code}`,
    },
  ]);
  await appendEvents(work.tx, work.platform, work.now, [
    {
      merchantId,
      kind: 'collection.returned',
      scheduleId: payment.schedule_id,
      subjectId: payment.payment_id,
      data: {
        payment_id: payment.payment_id,
        schedule_id: payment.schedule_id,
        amount: { value: amountPence, currency: payment.currency },
        reason: debt.reason,
        returned_at: formatInstant(work.now),
      } satisfies DataOf<typeof PAYMENT_EVENTS, 'collection.returned'>,
    },
  ]);
}

/**
 * Records the recall of a pay-in that is on the unallocated list: the item ends as returned, and its money, still in its
 * wallet, covers the issuer. If the money was given away before, the reconciliation shows a difference until a person
 * resolves it.
 */
async function takeRecallOfItem(work: Work, recall: TakenBack): Promise<void> {
  const { merchantId, movementId, amountPence, originalMovementId } = recall;
  const found = await findItemOf(work.tx, merchantId, originalMovementId);
  if (found !== null) await lockWallet(work.tx, merchantId, found.wallet_id);
  const item = found === null ? null : await lockItemOf(work.tx, merchantId, originalMovementId);
  if (item === null || item.status !== 'open' || item.amount_pence !== amountPence) {
    if (!(await isRecorded(work.tx, merchantId, movementId)))
      work.platform.log.report('settlement.recall_unmatched', {
        movement_id: movementId,
        original_movement_id: originalMovementId,
      });
    return;
  }
  const debt = {
    merchantId,
    debtId: work.platform.ids.next('dbt', work.now),
    movementId,
    paymentId: null,
    walletId: item.wallet_id,
    amountPence,
    reason: recall.reason.message,
    issuerAccount: ISSUER_ACCOUNT,
  };
  if (!(await insertDebt(work.tx, debt, work.now))) return;
  await openAccounts(work.tx, merchantId, [{ accountId: OWED, kind: 'owed' }]);
  const apart = { debit: UNALLOCATED, credit: IN_SETTLEMENT, sourceId: debt.debtId };
  await post(work.tx, work.platform.ids, work.now, [
    { merchantId, kind: 'recall', debit: OWED, credit: OUTSIDE, amountPence, sourceId: movementId },
    { merchantId, kind: 'net', amountPence, ...apart },
  ]);
  await recordEnd(work, item, {
    status: 'returned',
    by: 'the issuer',
    confirmedBy: null,
    reason: `recalled by the payer's bank: ${recall.reason.message}`,
    paid: null,
  });
}
