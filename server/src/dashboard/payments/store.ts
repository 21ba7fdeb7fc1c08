import type { PaymentStatus } from '../../payments/payment.ts';
import type { SqlValue, Tx } from '../../platform/db.ts';

export interface ListedPayment {
  payment_id: string;
  schedule_id: string;
  description: string;
  customer_id: string;
  amount_pence: number;
  currency: string;
  status: PaymentStatus;
  due_date: Temporal.Instant;
  attempts: number;
  next_retry_at: Temporal.Instant | null;
  error_code: string | null;
  error_message: string | null;
  settlement_id: string | null;
  completed_at: Temporal.Instant | null;
}

/** Which payments; an absent field does not filter. */
export interface PaymentFilter {
  status?: PaymentStatus;
  scheduleId?: string;
  customerId?: string;
  /** Why it failed, of those that failed for good. */
  reason?: string;
  paymentId?: string;
  /** The bank's id of it, in any of its attempts. */
  bankPaymentId?: string;
  /** Limits of the due date, both included. */
  from?: Temporal.Instant;
  to?: Temporal.Instant;
}

/** The start of a page: after this payment of the previous page. */
export interface PaymentsAfter {
  dueDate: Temporal.Instant;
  paymentId: string;
}

const UNDER_WAY = `EXISTS (SELECT FROM payment_work w WHERE w.merchant_id = p.merchant_id AND w.payment_id = p.payment_id)`;

/** Says also where to look: no index names the status. Constants in the statement; never text from a caller. */
const STATUS: Readonly<Record<PaymentStatus, string>> = {
  pending: `p.status = 'pending' AND ${UNDER_WAY}`,
  processing: `p.status = 'processing' AND ${UNDER_WAY}`,
  success: `p.status = 'success'`,
  failed: `p.status = 'failed' AND p.failed_at IS NOT NULL`,
};

/** Returns the conditions, and their values in binding order. */
function conditionsOf(
  merchantId: string,
  filter: PaymentFilter,
  after: PaymentsAfter | null,
): { where: string; values: SqlValue[] } {
  const values: SqlValue[] = [merchantId];
  const conditions = ['p.merchant_id = $1'];
  const add = (value: SqlValue | undefined, condition: (place: string) => string): void => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  if (filter.status !== undefined) conditions.push(STATUS[filter.status]);
  add(filter.scheduleId, (id) => `p.schedule_id = ${id}`);
  if (filter.reason !== undefined && filter.status !== 'failed') conditions.push(STATUS.failed);
  add(filter.reason, (reason) => `coalesce(p.error_code, 'unknown') = ${reason}`);
  add(filter.paymentId, (id) => `p.payment_id = ${id}`);
  // A customer's payments are found through their schedules, so payments need no index on customers.
  add(
    filter.customerId,
    (id) => `p.schedule_id = ANY (ARRAY(
       SELECT s.schedule_id FROM schedules s WHERE s.merchant_id = $1 AND s.customer_id = ${id}))`,
  );
  add(
    filter.bankPaymentId,
    (id) => `p.payment_id = ANY (ARRAY(
       SELECT a.payment_id FROM attempts a WHERE a.merchant_id = $1 AND a.bank_payment_id = ${id}))`,
  );
  add(filter.from, (from) => `p.due_date >= ${from}`);
  add(filter.to, (to) => `p.due_date <= ${to}`);
  if (after !== null) {
    const [due, id] = [values.push(after.dueDate), values.push(after.paymentId)];
    conditions.push(`(p.due_date, p.payment_id) < ($${due}::timestamptz, $${id}::text)`);
  }
  return { where: conditions.join(' AND '), values };
}

/**
 * Returns the statement of a list. Each kind of list has a text, a plan and an index of its own, so the limit is part of the text
 * too.
 */
export function paymentsStatement(
  merchantId: string,
  filter: PaymentFilter,
  after: PaymentsAfter | null,
  limit: number,
): { sql: string; values: SqlValue[] } {
  const { where, values } = conditionsOf(merchantId, filter, after);
  const sql = `SELECT p.*, s.description FROM (
      SELECT p.payment_id, p.schedule_id, p.customer_id, p.amount_pence, p.currency, p.status, p.due_date, p.attempts,
        p.next_retry_at, p.error_code, p.error_message, p.settlement_id, p.completed_at
      FROM payments p WHERE ${where} ORDER BY p.due_date DESC, p.payment_id DESC LIMIT ${Math.trunc(limit)}) p
    JOIN schedules s ON s.merchant_id = $1 AND s.schedule_id = p.schedule_id
    ORDER BY p.due_date DESC, p.payment_id DESC`;
  return { sql, values };
}

/** Returns payments by due date, latest first, after `after`. */
export function searchPayments(
  tx: Tx,
  merchantId: string,
  filter: PaymentFilter,
  after: PaymentsAfter | null,
  limit: number,
): Promise<ListedPayment[]> {
  const { sql, values } = paymentsStatement(merchantId, filter, after, limit);
  return tx.rows<ListedPayment>(sql, values);
}
