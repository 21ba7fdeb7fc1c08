import { formatInstant } from '../platform/calendar.ts';
import type { Tx } from '../platform/db.ts';
import type { Amount } from '../platform/money.ts';
import type { Failure, NoRetryReason, PaymentStatus } from './payment.ts';
import { type AttemptRow, findAttempts, type PaymentRow } from './store.ts';

/** One attempt as the API shows it, with what the bank called it. */
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

/** The payment object (DECISIONS, "Payments"); it carries every attempt. */
export interface PaymentView {
  id: string;
  schedule_id: string;
  customer_id: string;
  amount: Amount;
  status: PaymentStatus;
  due_date: string;
  attempts: AttemptView[];
  next_retry_at: string | null;
  /** Why no retry follows; null unless the payment has failed. */
  no_retry_reason: NoRetryReason | null;
  error: Failure | null;
  settlement_id: string | null;
  /** Recalled by the payer's bank after success; null: it was not. */
  returned: { amount: Amount; at: string; reason: string } | null;
  created_at: string;
  completed_at: string | null;
  failed_at: string | null;
}

/** Payments as the API shows them, in the order given: one statement for all their attempts. */
export async function viewPayments(
  tx: Tx,
  merchantId: string,
  rows: readonly PaymentRow[],
): Promise<PaymentView[]> {
  const ids = rows.map((row) => row.payment_id);
  const attempts = Map.groupBy(
    await findAttempts(tx, merchantId, ids),
    (attempt) => attempt.payment_id,
  );
  return rows.map((row) => view(row, attempts.get(row.payment_id) ?? []));
}

function view(row: PaymentRow, attempts: readonly AttemptRow[]): PaymentView {
  return {
    id: row.payment_id,
    schedule_id: row.schedule_id,
    customer_id: row.customer_id,
    amount: { value: row.amount_pence, currency: row.currency },
    status: row.status,
    due_date: formatInstant(row.due_date),
    attempts: attempts.map(viewAttempt),
    next_retry_at: optional(row.next_retry_at),
    no_retry_reason: row.status === 'failed' ? row.no_retry_reason : null,
    error: failure(row.error_code, row.error_message),
    settlement_id: row.settlement_id,
    returned: returnedOf(row),
    created_at: formatInstant(row.created_at),
    completed_at: optional(row.completed_at),
    failed_at: optional(row.failed_at),
  };
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
    finished_at: optional(row.finished_at),
  };
}

function failure(code: string | null, message: string | null): Failure | null {
  return code === null ? null : { code, message: message ?? '' };
}

function optional(instant: Temporal.Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
