import type { Static } from 'typebox';
import { viewPayingAccount } from '../../consents/paying-account.ts';
import type { Asked } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import type { Amount } from '../../platform/values/money.ts';
import { findNotSent } from '../books/not-sent-store.ts';
import {
  type AttemptRow,
  findAttempts,
  findPayingAccounts,
  type PaymentRow,
} from '../books/read-store.ts';
import { findItemsOf, type ItemRow } from '../books/unallocated-store.ts';
import { findWaiting } from '../books/waiting-store.ts';
import type { NotSent } from '../payment/not-sent.ts';
import type { Failure } from '../payment/payment.ts';
import type { PaymentAnswer } from '../payment/schemas.ts';
import type { Waiting } from '../payment/waiting.ts';

export type PaymentView = Static<typeof PaymentAnswer>;

/** Returns payments as shown by the API, in the given order, with one query for all their attempts. */
export async function viewPayments(
  { tx, now, merchantId }: Asked,
  rows: readonly PaymentRow[],
): Promise<PaymentView[]> {
  const ids = rows.map((row) => row.payment_id);
  const attempts = Map.groupBy(
    await findAttempts(tx, merchantId, ids),
    (attempt) => attempt.payment_id,
  );
  const endings = await findPayingAccounts(tx, merchantId, ids);
  const items = Map.groupBy(await findItemsOf(tx, merchantId, ids), (item) => item.payment_id);
  const underWay = rows.filter((row) => row.status === 'processing').map((row) => row.payment_id);
  const waiting = await findWaiting(tx, now, merchantId, underWay);
  const notSent = await findNotSent(tx, now, merchantId, underWay);
  return rows.map((row) => ({
    ...view(row, attempts.get(row.payment_id) ?? [], endings.get(row.payment_id) ?? null),
    not_sent: viewNotSent(notSent.get(row.payment_id)),
    waits_for_operator: viewWaiting(waiting.get(row.payment_id)),
    unexpected_money: (items.get(row.payment_id) ?? []).map(viewMoney),
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
    id: item.item_id,
    amount: { value: item.amount_pence, currency: item.currency },
    status: item.status,
    reason: item.reason,
    arrived_at: formatInstant(item.arrived_at),
    ended_at: formatInstant(item.ended_at),
  };
}

type Facts = Omit<PaymentView, 'not_sent' | 'waits_for_operator' | 'unexpected_money'>;

function view(row: PaymentRow, attempts: readonly AttemptRow[], ending: string | null): Facts {
  return {
    id: row.payment_id,
    schedule_id: row.schedule_id,
    customer_id: row.customer_id,
    kind: row.ad_hoc === null ? 'scheduled' : 'ad_hoc',
    amount: { value: row.amount_pence, currency: row.currency },
    description: row.description,
    status: row.status,
    due_date: formatInstant(row.due_date),
    attempts: attempts.map(viewAttempt),
    next_retry_at: formatInstant(row.next_retry_at),
    no_retry_reason: row.status === 'failed' ? row.no_retry_reason : null,
    error: failure(row.error_code, row.error_message),
    settlement_id: row.settlement_id,
    fee: viewFee(row),
    refunded: { value: row.refunded_pence ?? 0, currency: row.currency },
    returned: returnedOf(row),
    paying_account: viewPayingAccount(ending),
    created_at: formatInstant(row.created_at),
    completed_at: formatInstant(row.completed_at),
    failed_at: formatInstant(row.failed_at),
  };
}

/** Returns the fee of a payment; null until it succeeds. */
export function viewFee({
  status,
  fee_pence,
  currency,
}: Pick<PaymentRow, 'status' | 'fee_pence' | 'currency'>): Amount | null {
  return status === 'success' ? { value: fee_pence ?? 0, currency } : null;
}

function returnedOf(row: PaymentRow): PaymentView['returned'] {
  const { returned_at: at, returned_pence: value, returned_reason: reason, currency } = row;
  if (at === null || value === null) return null;
  return { amount: { value, currency }, at: formatInstant(at), reason: reason ?? '' };
}

function viewAttempt(row: AttemptRow): PaymentView['attempts'][number] {
  return {
    number: row.number,
    status: row.status === 'started' ? 'processing' : row.status,
    manual: row.manual,
    error: failure(row.error_code, row.error_message),
    bank_payment_id: row.bank_payment_id,
    bank_status: row.bank_status,
    started_at: formatInstant(row.started_at),
    sent_at: formatInstant(row.sent_at),
    finished_at: formatInstant(row.finished_at),
  };
}

function failure(code: string | null, message: string | null): Failure | null {
  return code === null ? null : { code, message: message ?? '' };
}
