import { findCustomers } from '../../customers/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { toCsv } from '../../platform/values/csv.ts';
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
  const ids = new Set(payments.flatMap((row) => row.customer_id ?? []));
  const customers = await findCustomers(tx, merchantId, [...ids]);
  const local = await localTime(tx, merchantId);
  const whoPaid = (row: SettledPayment): Payer => {
    const customer = customers.get(row.customer_id ?? '');
    if (customer === undefined) return { customer: row.customer_id ?? '', customer_reference: '' };
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
  return { filename: `settlement-${first.settle_date.toString()}-${first.settlement_id}.csv`, csv };
}

function cellsOf(row: SettledPayment, local: Local): Omit<Cells, keyof Payer> {
  const due = row.due_date === null ? null : formatInstant(row.due_date);
  const completed = formatInstant(row.completed_at);
  return {
    settlement_id: row.settlement_id,
    settlement_date: row.settle_date.toString(),
    payment_id: row.payment_id ?? '',
    schedule_id: row.schedule_id ?? '',
    customer_id: row.customer_id ?? '',
    description: row.description ?? '',
    due_date: due ?? '',
    completed_at: completed ?? '',
    amount: row.amount_pence,
    amount_pence: row.amount_pence,
    currency: row.currency,
    kind: row.kind,
    refund_id: row.refund_id ?? '',
    metadata: row.metadata === null ? '' : JSON.stringify(row.metadata),
    due_date_local: local(due),
    completed_at_local: local(completed),
    fee: row.fee_pence,
    net: row.amount_pence - row.fee_pence,
  };
}
