import type { CreateBody, LimitsBody } from '../request/request.ts';
import {
  readDate,
  readDigits,
  readPhone,
  readPounds,
  readSortCode,
  readWhole,
  type Value,
} from './cell-values.ts';
import type { Cells, Column } from './columns.ts';

/** What is wrong with a line. `column` null: the line as a whole. */
export interface LineError {
  column: string | null;
  reason: string;
}

/** A day without a time of day begins collecting at nine, and the last day is collected whole. */
const START_OF_DAY = '09:00';
const END_OF_DAY = '23:59:59';

/** Reads a line's cells as the body of POST /schedules, not yet checked; or returns every cell that cannot be read. */
export function readLine(
  cells: Cells,
  timeZone: string,
): { body: CreateBody } | { errors: LineError[] } {
  const errors: LineError[] = [];
  const { known, metadata } = cells;
  const take = <T>(column: Column, read: (text: string) => Value<T>): T | undefined => {
    const text = known[column];
    if (text === undefined) return undefined;
    const result = read(text);
    if ('value' in result) return result.value;
    errors.push({ column, reason: result.error });
    return undefined;
  };
  const pounds = (column: Column) => gbp(take(column, readPounds));
  const word = (column: Column) => known[column]?.toLowerCase();
  const fields = {
    amount: pounds('amount'),
    frequency: {
      type: word('frequency'),
      ...definedFields({ interval: take('interval', readWhole), day: take('day', readWhole) }),
    },
    customer: customerFrom(known, take, errors),
    description: known.description,
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    start_date: take('start_date', (text) => readDate(text, timeZone, START_OF_DAY)),
    end_date: take('end_date', (text) => readDate(text, timeZone, END_OF_DAY)),
    max_retries: take('max_retries', readWhole),
    reference: known.statement_reference,
    limits: limitsFrom(pounds('limit_per_payment'), pounds('limit_per_period')),
    amount_mode: word('amount_mode'),
    non_working_day: word('non_working_day'),
    first_payment: firstPaymentFrom(pounds('first_payment_amount'), known, errors),
  };
  for (const column of ['amount', 'frequency', 'description'] as const)
    if (known[column] === undefined) errors.push({ column, reason: 'is missing' });
  if (errors.length > 0) return { errors };
  return { body: definedFields(fields) as unknown as CreateBody };
}

type ReadColumn = <T>(column: Column, read: (text: string) => Value<T>) => T | undefined;

/** Reads who pays: exactly one of a phone number, an account and an id. */
function customerFrom(known: Cells['known'], take: ReadColumn, errors: LineError[]): object {
  const phone = take('customer_phone', readPhone);
  const sortCode = take('customer_sort_code', readSortCode);
  const accountNumber = take('customer_account_number', readDigits);
  const hasAccount =
    known.customer_sort_code !== undefined || known.customer_account_number !== undefined;
  const ways = [known.customer_phone !== undefined, hasAccount, known.customer_id !== undefined];
  const count = ways.filter(Boolean).length;
  const choices = 'a phone number, a sort code with account number, or a customer_id';
  if (count === 0) errors.push({ column: 'customer_phone', reason: `is missing: give ${choices}` });
  if (count > 1) errors.push({ column: null, reason: `names the customer twice: give ${choices}` });
  const profile = definedFields({
    name: known.customer_name,
    email: known.customer_email,
    reference: known.customer_reference,
  });
  if (known.customer_id !== undefined)
    return { type: 'user_id', value: known.customer_id, ...profile };
  if (!hasAccount) return { type: 'phone', value: phone, ...profile };
  return {
    type: 'bank_account',
    ...definedFields({ sort_code: sortCode, account_number: accountNumber }),
    ...profile,
  };
}

function gbp(value: number | undefined): CreateBody['amount'] | undefined {
  return value === undefined ? undefined : { value, currency: 'GBP' };
}

function limitsFrom(
  perPayment: CreateBody['amount'] | undefined,
  perPeriod: CreateBody['amount'] | undefined,
): LimitsBody | undefined {
  const limits = definedFields({ per_payment: perPayment, per_period: perPeriod });
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/** Reads the first payment: a description without an amount is none. */
function firstPaymentFrom(
  amount: CreateBody['amount'] | undefined,
  { first_payment_amount: typed, first_payment_description: description }: Cells['known'],
  errors: LineError[],
): CreateBody['first_payment'] {
  if (description !== undefined && typed === undefined)
    errors.push({
      column: 'first_payment_amount',
      reason: 'is missing: a description alone is no first payment',
    });
  return amount === undefined ? undefined : { amount, ...definedFields({ description }) };
}

/** Returns an object without the fields that are undefined. */
function definedFields<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
