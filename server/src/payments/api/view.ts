import type { Static } from 'typebox';
import { viewPayingAccount } from '../../consents/paying-account.ts';
import type { Asked } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import type { Amount } from '../../platform/values/money.ts';
import { findNotSent } from '../books/not-sent-store.ts';
import {
  type AttemptRow,
  findAttempts,
  findContexts,
  findPayingAccounts,
  type PaymentContext,
  type PaymentRow,
} from '../books/read-store.ts';
import { findItemsOf, type ItemRow } from '../books/unallocated-store.ts';
import { findWaiting } from '../books/waiting-store.ts';
import type { NotSent } from '../payment/not-sent.ts';
import type { Failure, PaymentKind } from '../payment/payment.ts';
import type { PaymentAnswer } from '../payment/schemas.ts';
import type { Waiting } from '../payment/waiting.ts';

export type PaymentView = Static<typeof PaymentAnswer>;

/** Returns payments as shown by the API, in the given order, with one query for all their attempts. */
export async function viewPayments(
  { tx, now, merchantId }: Asked,
  rows: readonly PaymentRow[],
): Promise<PaymentView[]> {
  const ids = rows.map((row) => row.paymentId);
  const attempts = Map.groupBy(
    await findAttempts(tx, merchantId, ids),
    (attempt) => attempt.paymentId,
  );
  const endings = await findPayingAccounts(tx, merchantId, ids);
  const contexts = await findContexts(tx, merchantId, ids);
  const items = Map.groupBy(await findItemsOf(tx, merchantId, ids), (item) => item.paymentId);
  const underWay = rows.filter((row) => row.status === 'processing').map((row) => row.paymentId);
  const waiting = await findWaiting(tx, now, merchantId, underWay);
  const notSent = await findNotSent(tx, now, merchantId, underWay);
  return rows.map((row) => ({
    ...view(row, attempts.get(row.paymentId) ?? [], endings.get(row.paymentId) ?? null),
    ...viewContext(contexts.get(row.paymentId)),
    not_sent: viewNotSent(notSent.get(row.paymentId)),
    waits_for_operator: viewWaiting(waiting.get(row.paymentId)),
    unexpected_money: (items.get(row.paymentId) ?? []).map(viewMoney),
  }));
}

function viewWaiting(waiting: Waiting | undefined): PaymentView['waits_for_operator'] {
  if (waiting === undefined) return null;
  return { reason: waiting.reason, since: formatInstant(waiting.since) };
}

function viewNotSent(notSent: NotSent | undefined): PaymentView['not_sent'] {
  if (notSent === undefined) return null;
  const { reason, bankId, until } = notSent;
  return { reason, bank_id: bankId, next_try_at: formatInstant(until) };
}

function viewMoney(item: ItemRow): PaymentView['unexpected_money'][number] {
  return {
    id: item.itemId,
    amount: { value: item.amountPence, currency: item.currency },
    status: item.status,
    reason: item.reason,
    arrived_at: formatInstant(item.arrivedAt),
    ended_at: formatInstant(item.endedAt),
  };
}

type Context = Pick<PaymentView, 'bank_id' | 'customer_reference' | 'metadata'>;

function viewContext(context: PaymentContext | undefined): Context {
  if (context === undefined) throw new Error('a payment belongs to no schedule or customer');
  const { bankId, customerReference, metadata } = context;
  return { bank_id: bankId, customer_reference: customerReference, metadata };
}

type Facts = Omit<
  PaymentView,
  keyof Context | 'not_sent' | 'waits_for_operator' | 'unexpected_money'
>;

function view(row: PaymentRow, attempts: readonly AttemptRow[], ending: string | null): Facts {
  return {
    id: row.paymentId,
    schedule_id: row.scheduleId,
    customer_id: row.customerId,
    kind: kindOf(row),
    amount: { value: row.amountPence, currency: row.currency },
    description: row.description,
    status: row.status,
    due_date: formatInstant(row.dueDate),
    attempts: attempts.map(viewAttempt),
    next_retry_at: formatInstant(row.nextRetryAt),
    no_retry_reason: row.status === 'failed' ? row.noRetryReason : null,
    error: failure(row.errorCode, row.errorMessage),
    settlement_id: row.settlementId,
    fee: viewFee(row),
    refunded: { value: row.refundedPence ?? 0, currency: row.currency },
    returned: returnedOf(row),
    paying_account: viewPayingAccount(ending),
    created_at: formatInstant(row.createdAt),
    completed_at: formatInstant(row.completedAt),
    failed_at: formatInstant(row.failedAt),
  };
}

function kindOf({ adHoc, isFirst }: PaymentRow): PaymentKind {
  if (isFirst) return 'first';
  return adHoc === null ? 'scheduled' : 'ad_hoc';
}

/** Returns the fee of a payment; null until it succeeds. */
function viewFee({
  status,
  feePence,
  currency,
}: Pick<PaymentRow, 'status' | 'feePence' | 'currency'>): Amount | null {
  return status === 'success' ? { value: feePence ?? 0, currency } : null;
}

function returnedOf(row: PaymentRow): PaymentView['returned'] {
  const { returnedAt: at, returnedPence: value, returnedReason: reason, currency } = row;
  if (at === null || value === null) return null;
  return { amount: { value, currency }, at: formatInstant(at), reason: reason ?? '' };
}

function viewAttempt(row: AttemptRow): PaymentView['attempts'][number] {
  return {
    number: row.number,
    status: row.status === 'started' ? 'processing' : row.status,
    manual: row.manual,
    error: failure(row.errorCode, row.errorMessage),
    bank_payment_id: row.bankPaymentId,
    bank_status: row.bankStatus,
    started_at: formatInstant(row.startedAt),
    sent_at: formatInstant(row.sentAt),
    finished_at: formatInstant(row.finishedAt),
  };
}

function failure(code: string | null, message: string | null): Failure | null {
  return code === null ? null : { code, message: message ?? '' };
}
