import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import { rowBy } from '../platform/db/row-by.ts';
import { conditions } from '../platform/http/lists/conditions.ts';
import type { CreatedSort, Span } from '../platform/http/lists/list-filters.ts';
import { type List, type Page, readPage } from '../platform/http/lists/page.ts';
import type { CustomerIdentification } from './customer.ts';

/** A customer; phone, account, name and email are sealed. */
export interface CustomerRow {
  customerId: string;
  phone: string | null;
  bankAccount: string | null;
  name: string | null;
  email: string | null;
  reference: string | null;
  /** When the customer's personal data were erased. */
  erasedAt: Temporal.Instant | null;
}

/** The same with what only the merchant's team reads; the notes are sealed. */
export interface FullCustomerRow extends CustomerRow {
  notes: string | null;
  createdAt: Temporal.Instant;
}

const CUSTOMER_COLUMNS = 'customer_id, phone, bank_account, name, email, reference, erased_at';
const FULL_COLUMNS = `${CUSTOMER_COLUMNS}, notes, created_at`;

/** Returns a customer of this merchant by id, or null. */
export const findCustomer = rowBy<CustomerRow>(
  `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE merchant_id = $1 AND customer_id = $2`,
);

/** A new customer: the identification with its blind index, and the profile; sealed except for the reference. */
export interface NewCustomer {
  customerId: string;
  sealed: string;
  index: Buffer;
  name: string | null;
  email: string | null;
  reference: string | null;
}

/** A customer as found or inserted, with the blind index by which it was asked for. */
export interface FoundCustomer extends CustomerRow {
  index: Buffer;
  isNew: boolean;
}

/**
 * Finds the merchant's customers with these identifications, all of one type and each once, or inserts them. Safe under
 * concurrent calls: rows are inserted in the order of their indexes, so that two batches cannot deadlock.
 */
export async function findOrInsertCustomers(
  tx: Tx,
  merchantId: string,
  type: Exclude<CustomerIdentification['type'], 'user_id'>,
  customers: readonly NewCustomer[],
  now: Temporal.Instant,
): Promise<FoundCustomer[]> {
  if (customers.length === 0) return [];
  const sorted = [...customers].sort((a, b) => Buffer.compare(a.index, b.index));
  const columnsOfAll = `${CUSTOMER_COLUMNS}, ${type}_index AS index`;
  const inserted = await tx.rows<Omit<FoundCustomer, 'isNew'>>(
    `INSERT INTO customers (merchant_id, created_at, customer_id, ${type}, ${type}_index, name, email, reference)
     SELECT $1, $2, c.* FROM unnest($3::text[], $4::text[], $5::bytea[], $6::text[], $7::text[], $8::text[]) AS c
     ON CONFLICT (merchant_id, ${type}_index) WHERE ${type}_index IS NOT NULL DO NOTHING
     RETURNING ${columnsOfAll}`,
    [
      merchantId,
      now,
      ...columns(sorted, 'customerId', 'sealed', 'index', 'name', 'email', 'reference'),
    ],
  );
  const isInserted = new Set(inserted.map(({ index }) => index.toString('hex')));
  const others = sorted.filter(({ index }) => !isInserted.has(index.toString('hex')));
  const fresh = inserted.map((row) => ({ ...row, isNew: true }));
  if (others.length === 0) return fresh;
  const found = await tx.rows<Omit<FoundCustomer, 'isNew'>>(
    `SELECT ${columnsOfAll} FROM customers WHERE merchant_id = $1 AND ${type}_index = ANY($2::bytea[])`,
    [merchantId, others.map(({ index }) => index)],
  );
  if (found.length < others.length) throw new Error('a customer vanished between two statements');
  return [...fresh, ...found.map((row) => ({ ...row, isNew: false }))];
}

/** Locks a customer's row and returns it, or null. The lock lets others create schedules for the customer. */
export const lockCustomer = rowBy<FullCustomerRow>(
  `SELECT ${FULL_COLUMNS} FROM customers WHERE merchant_id = $1 AND customer_id = $2 FOR NO KEY UPDATE`,
);

/** Sets the profile of a customer; all but the reference sealed. */
export async function updateProfile(
  tx: Tx,
  merchantId: string,
  customerId: string,
  {
    name,
    email,
    reference,
    notes,
  }: Pick<FullCustomerRow, 'name' | 'email' | 'reference' | 'notes'>,
): Promise<void> {
  await tx.run(
    `UPDATE customers SET name = $3, email = $4, reference = $5, notes = $6
     WHERE merchant_id = $1 AND customer_id = $2`,
    [merchantId, customerId, name, email, reference, notes],
  );
}

/** Returns customers by id. */
export async function findCustomers(
  tx: Tx,
  merchantId: string,
  customerIds: readonly string[],
): Promise<Map<string, CustomerRow>> {
  const rows = await tx.rows<CustomerRow>(
    `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE merchant_id = $1 AND customer_id = ANY($2)`,
    [merchantId, customerIds],
  );
  return new Map(rows.map((row) => [row.customerId, row]));
}

/** Which customers, in which order; an absent field does not filter. The span is of when they were created. */
export interface CustomerFilter extends Span {
  only?: readonly string[];
  sort?: CreatedSort;
}

/** Returns a page of the merchant's customers, newest first unless sorted otherwise. */
export function listCustomers(
  tx: Tx,
  merchantId: string,
  { only, sort, ...span }: CustomerFilter,
  page: Page,
): Promise<List<FullCustomerRow>> {
  const all = conditions('merchant_id = $1', [merchantId]);
  all.add(only, (ids) => `customer_id = ANY(${ids}::text[])`);
  all.span('created_at', span);
  return readPage<FullCustomerRow>(
    tx,
    {
      columns: FULL_COLUMNS,
      from: `customers WHERE ${all.where()}`,
      values: all.values,
      order: {
        by: { created_at: 'instant', customer_id: 'text' },
        isDescending: sort !== 'created_at',
      },
    },
    page,
  );
}

/** Returns the customer of a schedule or payment, or null. */
export function findOwner(
  tx: Tx,
  merchantId: string,
  { type, id }: { type: 'schedule' | 'payment'; id: string },
): Promise<{ customerId: string } | null> {
  return tx.row<{ customerId: string }>(
    `SELECT customer_id FROM ${type}s WHERE merchant_id = $1 AND ${type}_id = $2`,
    [merchantId, id],
  );
}
