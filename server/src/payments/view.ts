import { type PayingAccountView, viewPayingAccount } from '../consents/paying-account.ts';
import { formatInstant } from '../platform/calendar.ts';
import type { Amount } from '../platform/money.ts';
import type { Asked } from '../platform/platform.ts';
import type { Waiting, WaitingReason } from './operator/waiting.ts';
import { findWaiting } from './operator/waiting-store.ts';
import type { Failure, NoRetryReason, PaymentKind, PaymentStatus } from './payment.ts';
import {
  type AttemptRow,
  findAttempts,
  findPayingAccounts,
  type PaymentRow,
} from './read-store.ts';
import { findItemsOf, type ItemRow } from './unallocated/store.ts';

/** An attempt as shown by the API, with the bank's id and status. */
export interface AttemptView {
  number: number;
  status: 'processing' | 'success' | 'failed';
  manual: boolean;
  error: Failure | null;
  bank_payment_id: string | null;
  bank_status: string | null;
  started_at: string;
  finished_at: string | null;
}

/** Money that arrived and may belong to a payment, besides the money it awaited. */
export interface UnexpectedMoney {
  id: string;
  amount: Amount;
  status: ItemRow['status'];
  reason: ItemRow['reason'];
  arrived_at: string;
  ended_at: string | null;
}

/** A payment in responses, with every attempt: docs/rules/payments.md#the-payment-object. */
export interface PaymentView {
  id: string;
  schedule_id: string;
  customer_id: string;
  kind: PaymentKind;
  amount: Amount;
  /** Of an ad-hoc payment that was given one; else null: the schedule's holds. */
  description: string | null;
  status: PaymentStatus;
  due_date: string;
  attempts: AttemptView[];
  next_retry_at: string | null;
  /** Why no retry follows; null unless the payment has failed. */
  no_retry_reason: NoRetryReason | null;
  error: Failure | null;
  settlement_id: string | null;
  /** What the operator took of it; null until it succeeds. */
  fee: Amount | null;
  /** Refunded, or being refunded; failed refunds do not count. */
  refunded: Amount;
  /** Recalled by the payer's bank after success; null: not recalled. */
  returned: { amount: Amount; at: string; reason: string } | null;
  /** Masked; null until it is known. */
  paying_account: PayingAccountView | null;
  created_at: string;
  completed_at: string | null;
  failed_at: string | null;
  /** Why it cannot end on its own, and since when; null: it can, or it has ended. */
  waits_for_operator: { reason: WaitingReason; since: string } | null;
  unexpected_money: UnexpectedMoney[];
}

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
  return rows.map((row) => ({
    ...view(row, attempts.get(row.payment_id) ?? [], endings.get(row.payment_id) ?? null),
    waits_for_operator: viewWaiting(waiting.get(row.payment_id)),
    unexpected_money: (items.get(row.payment_id) ?? []).map(viewMoney),
  }));
}

function viewWaiting(waiting: Waiting | undefined): PaymentView['waits_for_operator'] {
  if (waiting === undefined) return null;
  return { reason: waiting.reason, since: formatInstant(waiting.since) };
}

function viewMoney(item: ItemRow): UnexpectedMoney {
  return {
    id: item.item_id,
    amount: { value: item.amount_pence, currency: item.currency },
    status: item.status,
    reason: item.reason,
    arrived_at: formatInstant(item.arrived_at),
    ended_at: formatInstant(item.ended_at),
  };
}

type Facts = Omit<PaymentView, 'waits_for_operator' | 'unexpected_money'>;

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

function viewAttempt(row: AttemptRow): AttemptView {
  return {
    number: row.number,
    status: row.status === 'started' ? 'processing' : row.status,
    manual: row.manual,
    error: failure(row.error_code, row.error_message),
    bank_payment_id: row.bank_payment_id,
    bank_status: row.bank_status,
    started_at: formatInstant(row.started_at),
    finished_at: formatInstant(row.finished_at),
  };
}

function failure(code: string | null, message: string | null): Failure | null {
  return code === null ? null : { code, message: message ?? '' };
}
