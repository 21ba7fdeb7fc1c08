import type { PaymentFilter as ReadFilter } from '../../payments/books/read-store.ts';
import type { PaymentStatus } from '../../payments/payment/payment.ts';
import type { SqlValue, Tx } from '../../platform/db/db.ts';
import { type Conditions, conditions } from '../../platform/http/lists/conditions.ts';
import { addMatch, type Match } from '../lists/match-store.ts';

export interface ListedPayment {
  paymentId: string;
  scheduleId: string;
  description: string;
  customerId: string;
  amountPence: number;
  /** Null: none. */
  feePence: number | null;
  currency: string;
  status: PaymentStatus;
  dueDate: Temporal.Instant;
  attempts: number;
  nextRetryAt: Temporal.Instant | null;
  errorCode: string | null;
  errorMessage: string | null;
  settlementId: string | null;
  completedAt: Temporal.Instant | null;
}

/** Which payments; an absent field does not filter. The error code `unknown` finds those that failed without one. */
export interface PaymentFilter extends Omit<ReadFilter, 'settlementId'> {
  match?: Match | null;
}

/** The part of a list to read, in its order: after this payment of the previous page. */
export interface PaymentPage {
  after: { dueDate: Temporal.Instant; paymentId: string } | null;
  limit: number;
  /** From the earliest due date on; else from the latest. */
  isOldestFirst?: boolean;
}

const UNDER_WAY = `EXISTS (SELECT FROM payment_work w WHERE w.merchant_id = p.merchant_id AND w.payment_id = p.payment_id)`;

/** Says also where to look: no index names the status. Constants in the statement; never text from a caller. */
const STATUS: Readonly<Record<PaymentStatus, string>> = {
  pending: `p.status = 'pending' AND ${UNDER_WAY}`,
  processing: `p.status = 'processing' AND ${UNDER_WAY}`,
  success: `p.status = 'success'`,
  failed: `p.status = 'failed' AND p.failed_at IS NOT NULL`,
};

const ROW = {
  scheduleId: 'p.schedule_id',
  customerId: 'p.customer_id',
  paymentId: 'p.payment_id',
  hasAmount: (pence: string) => `p.amount_pence = ${pence}`,
};

function conditionsOf(
  merchantId: string,
  filter: PaymentFilter,
  { after, isOldestFirst = false }: PaymentPage,
): Conditions {
  const all = conditions('p.merchant_id = $1', [merchantId]);
  if (filter.status !== undefined) all.also(STATUS[filter.status]);
  if (filter.errorCode === 'unknown') all.also('p.failed_at IS NOT NULL AND p.error_code IS NULL');
  else all.add(filter.errorCode, (code) => `p.error_code = ${code}`);
  all.add(filter.scheduleId, (id) => `p.schedule_id = ${id}`);
  all.add(filter.customerId, (id) => `p.customer_id = ${id}`);
  all.span('p.due_date', filter);
  all.amounts('p.amount_pence', filter);
  if (filter.match) addMatch(all, filter.match, ROW);
  if (after !== null) {
    const [due, id] = [all.values.push(after.dueDate), all.values.push(after.paymentId)];
    const sign = isOldestFirst ? '>' : '<';
    all.also(`(p.due_date, p.payment_id) ${sign} ($${due}::timestamptz, $${id}::text)`);
  }
  return all;
}

const COLUMNS = `p.payment_id, p.schedule_id, p.customer_id, p.amount_pence, p.fee_pence, p.currency, p.status, p.due_date,
        p.attempts, p.next_retry_at, p.error_code, p.error_message, p.settlement_id, p.completed_at`;

/**
 * Returns the statement of a list. Each kind of list has a text, a plan and an index of its own, so the limit is part of the text
 * too. `driving`: the only schedules whose payments may match; null: the list is read in its order.
 */
export function paymentsStatement(
  merchantId: string,
  filter: PaymentFilter,
  page: PaymentPage,
  driving: readonly string[] | null = null,
): { sql: string; values: SqlValue[] } {
  const all = conditionsOf(merchantId, filter, page);
  const order = page.isOldestFirst
    ? 'p.due_date, p.payment_id'
    : 'p.due_date DESC, p.payment_id DESC';
  const limit = Math.trunc(page.limit);
  const part = (where: string): string =>
    `SELECT ${COLUMNS} FROM payments p WHERE ${where} ORDER BY ${order} LIMIT ${limit}`;
  const ofDriving = (place: number): string =>
    `SELECT p.* FROM unnest($${place}::text[]) AS d (schedule_id) CROSS JOIN LATERAL (
       ${part(`p.schedule_id = d.schedule_id AND ${all.where()}`)}) p ORDER BY ${order} LIMIT ${limit}`;
  const found = driving === null ? part(all.where()) : ofDriving(all.values.push(driving));
  const sql = `SELECT p.*, s.description FROM (${found}) p
    JOIN schedules s ON s.merchant_id = $1 AND s.schedule_id = p.schedule_id
    ORDER BY ${order}`;
  return { sql, values: all.values };
}

/** Returns payments by due date. */
export function searchPayments(
  tx: Tx,
  merchantId: string,
  filter: PaymentFilter,
  page: PaymentPage,
  driving: readonly string[] | null,
): Promise<ListedPayment[]> {
  const { sql, values } = paymentsStatement(merchantId, filter, page, driving);
  return tx.rows<ListedPayment>(sql, values);
}
