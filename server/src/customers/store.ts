import { type Conditions, conditions } from '../platform/db/conditions.ts';
import type { Tx } from '../platform/db.ts';
import type { Span } from '../platform/http/list-filters.ts';
import type { CustomerIdentification } from './customer.ts';

/** A customer; phone, account, name and email are sealed. */
export interface CustomerRow {
  customer_id: string;
  phone: string | null;
  bank_account: string | null;
  name: string | null;
  email: string | null;
  reference: string | null;
}

/** The same with what only the merchant's team reads; the notes are sealed. */
export interface FullCustomerRow extends CustomerRow {
  notes: string | null;
  created_at: Temporal.Instant;
}

const CUSTOMER_COLUMNS = 'customer_id, phone, bank_account, name, email, reference';
export const FULL_COLUMNS = `${CUSTOMER_COLUMNS}, notes, created_at`;

/** Returns a customer of this merchant by id, or null. */
export function findCustomer(
  tx: Tx,
  merchantId: string,
  customerId: string,
): Promise<CustomerRow | null> {
  return tx.row<CustomerRow>(
    `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE merchant_id = $1 AND customer_id = $2`,
    [merchantId, customerId],
  );
}

/** A new customer: the identification with its blind index, and the profile; sealed except for the reference. */
export interface NewCustomer {
  customerId: string;
  type: Exclude<CustomerIdentification['type'], 'user_id'>;
  sealed: string;
  index: Buffer;
  name: string | null;
  email: string | null;
  reference: string | null;
}

/**
 * Finds the merchant's customer with this identification, or inserts it; returns the row, and whether it is new. Safe under
 * concurrent calls.
 */
export async function findOrInsertCustomer(
  tx: Tx,
  merchantId: string,
  customer: NewCustomer,
  now: Temporal.Instant,
): Promise<{ row: CustomerRow; isNew: boolean }> {
  const column = customer.type;
  const { customerId, sealed, index, name, email, reference } = customer;
  const inserted = await tx.row<CustomerRow>(
    `INSERT INTO customers (merchant_id, customer_id, ${column}, ${column}_index, created_at, name, email, reference)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (merchant_id, ${column}_index) WHERE ${column}_index IS NOT NULL DO NOTHING
     RETURNING ${CUSTOMER_COLUMNS}`,
    [merchantId, customerId, sealed, index, now, name, email, reference],
  );
  if (inserted !== null) return { row: inserted, isNew: true };
  const found = await tx.row<CustomerRow>(
    `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE merchant_id = $1 AND ${column}_index = $2`,
    [merchantId, customer.index],
  );
  if (found === null) throw new Error('a customer vanished between two statements');
  return { row: found, isNew: false };
}

/** Locks a customer's row and returns it, or null. The lock lets others create schedules for the customer. */
export function lockCustomer(
  tx: Tx,
  merchantId: string,
  customerId: string,
): Promise<FullCustomerRow | null> {
  return tx.row<FullCustomerRow>(
    `SELECT ${FULL_COLUMNS} FROM customers WHERE merchant_id = $1 AND customer_id = $2 FOR NO KEY UPDATE`,
    [merchantId, customerId],
  );
}

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
  return new Map(rows.map((row) => [row.customer_id, row]));
}

/** Returns a page of the merchant's customers, newest first; of these ids only, unless `only` is null. */
export function listCustomers(
  tx: Tx,
  merchantId: string,
  filter: CustomerFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<FullCustomerRow[]> {
  const all = customerConditions(merchantId, filter);
  return tx.rows<FullCustomerRow>(
    `SELECT ${FULL_COLUMNS} FROM customers WHERE ${all.where()}
     ORDER BY customer_id DESC LIMIT $${all.values.length + 1} OFFSET $${all.values.length + 2}`,
    [...all.values, limit, offset],
  );
}

/** Returns how many customers a list has. */
export async function countCustomers(
  tx: Tx,
  merchantId: string,
  filter: CustomerFilter,
): Promise<number> {
  const all = customerConditions(merchantId, filter);
  const row = await tx.row<{ total: number }>(
    `SELECT count(*) AS total FROM customers WHERE ${all.where()}`,
    all.values,
  );
  return row?.total ?? 0;
}

/** Which customers; an absent field does not filter. The span is of when they were created. */
export interface CustomerFilter extends Span {
  only?: readonly string[];
}

/** Returns the conditions of a list of customers. */
export function customerConditions(
  merchantId: string,
  { only, from, to }: CustomerFilter,
): Conditions {
  const all = conditions('merchant_id = $1', [merchantId]);
  all.add(only, (ids) => `customer_id = ANY(${ids}::text[])`);
  all.add(from, (at) => `created_at >= ${at}`);
  all.add(to, (at) => `created_at < ${at}`);
  return all;
}
