import type { Tx } from '../platform/db.ts';
import type { CustomerIdentification } from './customer.ts';

export interface CustomerRow {
  customer_id: string;
  phone: string | null;
  bank_account: string | null;
}

/** Returns a customer of this merchant by id, or null. */
export function findCustomer(
  tx: Tx,
  merchantId: string,
  customerId: string,
): Promise<CustomerRow | null> {
  return tx.row<CustomerRow>(
    'SELECT customer_id, phone, bank_account FROM customers WHERE merchant_id = $1 AND customer_id = $2',
    [merchantId, customerId],
  );
}

/** The identification of a new customer: sealed, and its blind index. */
export interface NewCustomer {
  customerId: string;
  type: Exclude<CustomerIdentification['type'], 'user_id'>;
  sealed: string;
  index: Buffer;
}

/** Finds the merchant's customer with this identification, or inserts it; returns the id. Safe under concurrent calls. */
export async function findOrInsertCustomer(
  tx: Tx,
  merchantId: string,
  customer: NewCustomer,
  now: Temporal.Instant,
): Promise<string> {
  const column = customer.type;
  const inserted = await tx.row<{ customer_id: string }>(
    `INSERT INTO customers (merchant_id, customer_id, ${column}, ${column}_index, created_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (merchant_id, ${column}_index) WHERE ${column}_index IS NOT NULL DO NOTHING RETURNING customer_id`,
    [merchantId, customer.customerId, customer.sealed, customer.index, now],
  );
  if (inserted !== null) return inserted.customer_id;
  const found = await tx.row<{ customer_id: string }>(
    `SELECT customer_id FROM customers WHERE merchant_id = $1 AND ${column}_index = $2`,
    [merchantId, customer.index],
  );
  if (found === null) throw new Error('a customer vanished between two statements');
  return found.customer_id;
}

/** Returns customers by id. */
export async function findCustomers(
  tx: Tx,
  merchantId: string,
  customerIds: readonly string[],
): Promise<Map<string, CustomerRow>> {
  const rows = await tx.rows<CustomerRow>(
    'SELECT customer_id, phone, bank_account FROM customers WHERE merchant_id = $1 AND customer_id = ANY($2)',
    [merchantId, customerIds],
  );
  return new Map(rows.map((row) => [row.customer_id, row]));
}
