import { findCustomers } from '../../customers/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { toCsv } from '../../platform/values/csv.ts';
import { statementReference } from '../../settlements/settlement.ts';
import { labelOf } from '../customers/label.ts';
import { type Local, localTime } from '../local-time.ts';
import { type SettledPayment, settledPayments } from './store.ts';
import { CSV_COLUMNS } from './view.ts';

type Cells = Record<(typeof CSV_COLUMNS)[number], string | number>;
/** The columns in pounds. */
const POUNDS = new Set<unknown>(['amount', 'fee', 'net']);

type Payer = Pick<Cells, 'customer' | 'customer_reference'>;

/** Formats pence as pounds with two decimals, without floats: `4999` is `49.99`. */
export function poundsOf(pence: number): string {
  const digits = String(Math.abs(pence)).padStart(3, '0');
  return `${pence < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Returns a settlement's payments as a CSV (RFC 4180, a heading, no row of totals: `net` adds up to the settlement), or null if
 * there is no such settlement. Cells that a spreadsheet would read as a formula begin with an apostrophe.
 */
export async function settlementCsv(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  settlementId: string,
): Promise<{ filename: string; csv: string } | null> {
  const payments = await settledPayments(tx, merchantId, settlementId);
  const [first] = payments;
  if (first === undefined) return null;
  const ids = new Set(payments.flatMap((row) => row.customerId ?? []));
  const customers = await findCustomers(tx, merchantId, [...ids]);
  const local = await localTime(tx, merchantId);
  const whoPaid = (row: SettledPayment): Payer => {
    const customer = customers.get(row.customerId ?? '');
    if (customer === undefined) return { customer: row.customerId ?? '', customer_reference: '' };
    const label = labelOf(platform, merchantId, customer);
    return { customer: label, customer_reference: customer.reference ?? '' };
  };
  const csv = toCsv(
    payments.map((row) => ({ ...cellsOf(row, local), ...whoPaid(row) })),
    {
      columns: CSV_COLUMNS,
      number: (value, column) => (POUNDS.has(column) ? poundsOf(value) : `${value}`),
    },
  );
  return { filename: `settlement-${first.settleDate.toString()}-${first.settlementId}.csv`, csv };
}

function cellsOf(row: SettledPayment, local: Local): Omit<Cells, keyof Payer> {
  const due = row.dueDate === null ? null : formatInstant(row.dueDate);
  const completed = formatInstant(row.completedAt);
  return {
    settlement_id: row.settlementId,
    settlement_date: row.settleDate.toString(),
    statement_reference: statementReference(row),
    payment_id: row.paymentId ?? '',
    schedule_id: row.scheduleId ?? '',
    customer_id: row.customerId ?? '',
    description: row.description ?? '',
    due_date: due ?? '',
    completed_at: completed ?? '',
    amount: row.amountPence,
    amount_pence: row.amountPence,
    currency: row.currency,
    kind: row.kind,
    refund_id: row.refundId ?? '',
    metadata: row.metadata === null ? '' : JSON.stringify(row.metadata),
    due_date_local: local(due),
    completed_at_local: local(completed),
    fee: row.feePence,
    net: row.amountPence - row.feePence,
  };
}
