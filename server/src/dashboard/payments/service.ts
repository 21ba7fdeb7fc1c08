import { readFilter } from '../../payments/api/filter.ts';
import { viewFee } from '../../payments/api/view.ts';
import { instructionId } from '../../payments/payment/payment.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import { findRefundsOf } from '../../refunds/store.ts';
import { decodeCursor, encodeCursor, pageOf } from '../cursor-list.ts';
import { labelCustomers } from '../customers/label.ts';
import { ledgerEntries } from '../ledger-store.ts';
import { findDriving } from '../lists/drive.ts';
import { readMatch } from '../lists/match.ts';
import { findChanges, findProved, findProvedAttempts } from './evidence-store.ts';
import { type ListedPayment, searchPayments } from './store.ts';
import type { PaymentEvidence, PaymentItem, PaymentList, PaymentQuery } from './view.ts';

/** Returns a page of payments by due date. Throws 400 for `cursor`, `from` and `to`. */
export async function listPayments(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  asked: PaymentQuery,
): Promise<PaymentList> {
  const order = `payments ${asked.sort}`;
  const keyset = decodeCursor(asked.cursor, order, ['instant', 'text']);
  const page = {
    after: keyset === null ? null : { dueDate: keyset[0], paymentId: keyset[1] },
    limit: asked.limit + 1,
    isOldestFirst: asked.sort === 'due_date',
  };
  const match = await readMatch(platform, tx, merchantId, asked.q);
  const filter = { ...readFilter(asked), match };
  const driving = await findDriving(tx, merchantId, filter);
  const found = await searchPayments(tx, merchantId, filter, page, driving);
  const { rows, next_cursor } = pageOf(found, asked.limit, (last) =>
    encodeCursor(order, [last.dueDate, last.paymentId]),
  );
  const ids = rows.map((row) => row.customerId);
  const customers = await labelCustomers(platform, tx, merchantId, ids);
  return { data: rows.map((row) => view(row, customers.get(row.customerId))), next_cursor };
}

function view(row: ListedPayment, customer: PaymentItem['customer'] | undefined): PaymentItem {
  if (customer === undefined) throw new Error('a payment without its customer');
  const { errorCode: code, errorMessage: message } = row;
  return {
    id: row.paymentId,
    schedule: { id: row.scheduleId, description: row.description },
    customer,
    amount: { value: row.amountPence, currency: row.currency },
    fee: viewFee(row),
    status: row.status,
    due_date: formatInstant(row.dueDate),
    attempts: row.attempts,
    next_retry_at: formatInstant(row.nextRetryAt),
    error: code === null ? null : { code, message: message ?? '' },
    settlement_id: row.settlementId,
    completed_at: formatInstant(row.completedAt),
  };
}

/** Returns the evidence of a payment at the bank, at the issuer and in our books. Throws 404 `not_found`. */
export async function showEvidence(
  tx: Tx,
  merchantId: string,
  paymentId: string,
  bankName: (bankId: string) => string,
): Promise<PaymentEvidence> {
  const payment = orNotFound(await findProved(tx, merchantId, paymentId), 'payment');
  const attempts = await findProvedAttempts(tx, merchantId, paymentId);
  const payIns = attempts.flatMap(({ payInId: id }) => (id === null ? [] : [id]));
  const refunds = (await findRefundsOf(tx, merchantId, [paymentId])).flatMap(
    ({ refundId: id, returnMovementId: back }) => (back === null ? [id] : [id, back]),
  );
  const sources = [paymentId, ...payIns, ...refunds];
  const ledger = await ledgerEntries(tx, merchantId, sources, payment.currency);
  const changes = await findChanges(tx, merchantId, payment);
  return {
    bank: { id: payment.bankId, name: bankName(payment.bankId) },
    consent: { id: payment.consentId, bank_consent_id: payment.bankConsentId },
    wallet: { id: payment.walletId, issuer_wallet_id: payment.issuerWalletId },
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      instruction_id: instructionId(paymentId, attempt.number),
      bank_payment_id: attempt.bankPaymentId,
      bank_status: attempt.bankStatus,
      sent_at: formatInstant(attempt.sentAt),
      pay_in_id: attempt.payInId,
    })),
    ledger,
    changes: changes.map((change) => ({
      at: formatInstant(change.at),
      from: change.fromState,
      to: change.toState,
      reason: change.reason,
    })),
  };
}
