import { columnsOf } from '../../platform/db/columns.ts';
import type { SqlValue, Tx } from '../../platform/db/db.ts';
import { type Conditions, conditions } from '../../platform/http/lists/conditions.ts';
import type { Amounts, Span } from '../../platform/http/lists/list-filters.ts';
import {
  countUnlessByCursor,
  cutTo,
  type List,
  type Order,
  type Page,
  pageFrom,
} from '../../platform/http/lists/page.ts';
import { findDriving } from '../../schedules/books/drive.ts';
import { addMatch, type Match } from '../../schedules/books/match-store.ts';
import type { PaymentStatus } from '../payment/payment.ts';
import { PAYMENT_COLUMNS, type PaymentRow } from './read-store.ts';

/** The orders of a list of payments; an index has each. */
export const PAYMENT_SORTS = ['-created_at', 'created_at', '-due_date', 'due_date'] as const;

/**
 * Which payments, in which order; an absent field does not filter. The span is of the due date. The error code `unknown` finds
 * those that failed without one.
 */
export interface PaymentFilter extends Span, Amounts {
  scheduleId?: string | undefined;
  customerId?: string | undefined;
  settlementId?: string;
  status?: PaymentStatus | undefined;
  errorCode?: string | undefined;
  bankId?: string | undefined;
  match?: Match | null;
  sort?: (typeof PAYMENT_SORTS)[number];
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

function conditionsOf(merchantId: string, filter: PaymentFilter): Conditions {
  const all = conditions('p.merchant_id = $1', [merchantId]);
  if (filter.status !== undefined) all.also(STATUS[filter.status]);
  if (filter.errorCode === 'unknown') all.also('p.failed_at IS NOT NULL AND p.error_code IS NULL');
  else all.add(filter.errorCode, (code) => `p.error_code = ${code}`);
  all.add(filter.bankId, (id) => `p.bank_id = ${id}`);
  all.add(filter.scheduleId, (id) => `p.schedule_id = ${id}`);
  all.add(filter.customerId, (id) => `p.customer_id = ${id}`);
  all.add(
    filter.settlementId,
    (id) =>
      `p.payment_id IN (SELECT sp.payment_id FROM settlement_payments sp WHERE sp.merchant_id = $1 AND sp.settlement_id = ${id})`,
  );
  all.span('p.due_date', filter);
  all.amounts('p.amount_pence', filter);
  if (filter.match) addMatch(all, filter.match, ROW);
  return all;
}

/** Returns how a list is sorted. */
function orderOf({ sort = '-created_at' }: PaymentFilter): Order {
  const isDescending = sort.startsWith('-');
  return sort.endsWith('due_date')
    ? { by: { 'p.due_date': 'instant', 'p.payment_id': 'text' }, isDescending }
    : { by: { 'p.payment_id': 'text' }, isDescending }; // an id begins with its time
}

/** A list's page and one row more; and the source of all its rows, to be counted. */
interface PaymentsStatement {
  sql: string;
  values: SqlValue[];
  counted: { from: string; values: SqlValue[] };
}

/**
 * Returns the statement of a page. Each kind of list has a text, a plan and an index of its own. `driving`: the only schedules
 * whose payments may match; null: the list is read in its order.
 */
function paymentsStatement(
  merchantId: string,
  filter: PaymentFilter,
  page: Page,
  driving: readonly string[] | null = null,
): PaymentsStatement {
  const all = conditionsOf(merchantId, filter);
  const ids = driving === null ? '' : `$${all.values.push(driving)}::text[]`;
  const counted = {
    from: `payments p WHERE ${all.where()} ${driving === null ? '' : `AND p.schedule_id = ANY(${ids})`}`,
    values: [...all.values],
  };
  const { behind, orderBy, limit, most } = cutTo(page, orderOf(filter), all.values);
  const part = `SELECT ${columnsOf('p', PAYMENT_COLUMNS)} FROM payments p WHERE ${all.where()} AND ${behind}`;
  const sql =
    driving === null
      ? `${part} ${orderBy} ${limit}`
      : `SELECT p.* FROM unnest(${ids}) AS d (schedule_id) CROSS JOIN LATERAL (
           ${part} AND p.schedule_id = d.schedule_id ${orderBy} ${most}) p ${orderBy} ${limit}`;
  return { sql, values: all.values, counted };
}

/**
 * Returns a page of payments, newest first unless sorted otherwise. A filter that leaves few schedules is looked up before the
 * list.
 */
export async function listPayments(
  tx: Tx,
  merchantId: string,
  filter: PaymentFilter,
  page: Page,
): Promise<List<PaymentRow>> {
  const driving = await findDriving(tx, merchantId, filter);
  return readPayments(tx, merchantId, filter, page, driving);
}

/** Returns a page of payments of these schedules, or (null) of all. */
export async function readPayments(
  tx: Tx,
  merchantId: string,
  filter: PaymentFilter,
  page: Page,
  driving: readonly string[] | null,
): Promise<List<PaymentRow>> {
  const { sql, values, counted } = paymentsStatement(merchantId, filter, page, driving);
  const [rows, count] = await Promise.all([
    tx.rows<PaymentRow>(sql, values),
    countUnlessByCursor(tx, page, counted.from, counted.values, 'p.amount_pence'),
  ]);
  return { ...pageFrom(rows, page, orderOf(filter)), ...count };
}
