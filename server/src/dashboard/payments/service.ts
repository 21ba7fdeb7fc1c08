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
    encodeCursor(order, [last.due_date, last.payment_id]),
  );
  const ids = rows.map((row) => row.customer_id);
  const customers = await labelCustomers(platform, tx, merchantId, ids);
  return { data: rows.map((row) => view(row, customers.get(row.customer_id))), next_cursor };
}

function view(row: ListedPayment, customer: PaymentItem['customer'] | undefined): PaymentItem {
  if (customer === undefined) throw new Error('a payment without its customer');
  const { error_code: code, error_message: message } = row;
  return {
    id: row.payment_id,
    schedule: { id: row.schedule_id, description: row.description },
    customer,
    amount: { value: row.amount_pence, currency: row.currency },
    fee: viewFee(row),
    status: row.status,
    due_date: formatInstant(row.due_date),
    attempts: row.attempts,
    next_retry_at: formatInstant(row.next_retry_at),
    error: code === null ? null : { code, message: message ?? '' },
    settlement_id: row.settlement_id,
    completed_at: formatInstant(row.completed_at),
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
  const payIns = attempts.flatMap(({ pay_in_id: id }) => (id === null ? [] : [id]));
  const refunds = (await findRefundsOf(tx, merchantId, [paymentId])).flatMap(
    ({ refund_id: id, return_movement_id: back }) => (back === null ? [id] : [id, back]),
  );
  const sources = [paymentId, ...payIns, ...refunds];
  const ledger = await ledgerEntries(tx, merchantId, sources, payment.currency);
  const changes = await findChanges(tx, merchantId, payment);
  return {
    bank: { id: payment.bank_id, name: bankName(payment.bank_id) },
    consent: { id: payment.consent_id, bank_consent_id: payment.bank_consent_id },
    wallet: { id: payment.wallet_id, issuer_wallet_id: payment.issuer_wallet_id },
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      instruction_id: instructionId(paymentId, attempt.number),
      bank_payment_id: attempt.bank_payment_id,
      bank_status: attempt.bank_status,
      sent_at: formatInstant(attempt.sent_at),
      pay_in_id: attempt.pay_in_id,
    })),
    ledger,
    changes: changes.map((change) => ({
      at: formatInstant(change.at),
      from: change.from_state,
      to: change.to_state,
      reason: change.reason,
    })),
  };
}
