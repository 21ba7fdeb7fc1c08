import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import type { CustomerRow } from './store.ts';

/** An entry of the index of words: a blind index, and the customer that it finds. */
export interface CustomerIndexEntry {
  customerId: string;
  word: Buffer;
}

/** Adds entries to the index of words; those that are there stay. */
export async function insertWords(
  tx: Tx,
  merchantId: string,
  words: readonly CustomerIndexEntry[],
): Promise<void> {
  if (words.length === 0) return;
  await tx.insert(
    `INSERT INTO customer_words (merchant_id, customer_id, word)
     SELECT $1, w.* FROM unnest($2::text[], $3::bytea[]) AS w ON CONFLICT DO NOTHING RETURNING word`,
    [merchantId, ...columns(words, 'customerId', 'word')],
  );
}

/** Removes entries of a customer from the index of words. */
export async function deleteWords(
  tx: Tx,
  merchantId: string,
  customerId: string,
  words: readonly Buffer[],
): Promise<void> {
  if (words.length === 0) return;
  await tx.run(
    'DELETE FROM customer_words WHERE merchant_id = $1 AND customer_id = $2 AND word = ANY($3::bytea[])',
    [merchantId, customerId, [...words]],
  );
}

/**
 * Returns the newest customers that have one of the entries, and of each further list one. Walks along the entries and looks the
 * others up by key (`OFFSET 0`), so put the rarest first. They come as one row: thousands may share a first name.
 */
export async function findByWords(
  tx: Tx,
  merchantId: string,
  [entries = [], ...others]: readonly (readonly Buffer[])[],
  limit: number,
): Promise<string[]> {
  if (entries.length === 0) return [];
  const each = others.map(
    (_, n) => `AND EXISTS (SELECT FROM customer_words o WHERE o.merchant_id = $1
      AND o.word = ANY($${n + 4}::bytea[]) AND o.customer_id = w.customer_id OFFSET 0)`,
  );
  const row = await tx.row<{ ids: string[] | null }>(
    `SELECT array_agg(customer_id) AS ids FROM (
       SELECT DISTINCT f.customer_id FROM unnest($2::bytea[]) AS e (entry) CROSS JOIN LATERAL (
         SELECT w.customer_id FROM customer_words w WHERE w.merchant_id = $1 AND w.word = e.entry ${each.join(' ')}
         ORDER BY w.customer_id DESC LIMIT $3) f
       ORDER BY f.customer_id DESC LIMIT $3) found`,
    [merchantId, [...entries], limit, ...others.map((list) => [...list])],
  );
  return row?.ids ?? [];
}

/** Returns the customers with one of these phone numbers or accounts, by their blind indexes. */
export async function findByIdentity(
  tx: Tx,
  merchantId: string,
  phones: readonly Buffer[],
  accounts: readonly Buffer[],
): Promise<string[]> {
  if (phones.length + accounts.length === 0) return [];
  const rows = await tx.rows<{ customerId: string }>(
    `SELECT customer_id FROM customers WHERE merchant_id = $1 AND phone_index = ANY($2::bytea[])
     UNION
     SELECT customer_id FROM customers WHERE merchant_id = $1 AND bank_account_index = ANY($3::bytea[])`,
    [merchantId, [...phones], [...accounts]],
  );
  return rows.map((row) => row.customerId);
}

/** A customer by the primary key. */
export interface CustomerKey {
  merchantId: string;
  customerId: string;
}

/** Returns the next customers of all merchants after a place, in the order of their keys; erased ones are left out. */
export async function readCustomersAfter(
  tx: Tx,
  after: CustomerKey,
  limit: number,
): Promise<CustomerKey[]> {
  return tx.rows<CustomerKey>(
    `SELECT merchant_id, customer_id FROM customers
     WHERE (merchant_id, customer_id) > ($1, $2) AND erased_at IS NULL
     ORDER BY merchant_id, customer_id LIMIT $3`,
    [after.merchantId, after.customerId, limit],
  );
}

/** Locks these customers of a merchant, in the order of their keys, and returns them; erased ones are left out. */
export function lockCustomers(
  tx: Tx,
  merchantId: string,
  customerIds: readonly string[],
): Promise<CustomerRow[]> {
  return tx.rows<CustomerRow>(
    `SELECT customer_id, phone, bank_account, name, email, reference, erased_at FROM customers
     WHERE merchant_id = $1 AND customer_id = ANY($2::text[]) AND erased_at IS NULL
     ORDER BY customer_id FOR NO KEY UPDATE`,
    [merchantId, customerIds],
  );
}

/** Returns the entries of these customers in the index of words. */
export function readWords(
  tx: Tx,
  merchantId: string,
  customerIds: readonly string[],
): Promise<CustomerIndexEntry[]> {
  return tx.rows<CustomerIndexEntry>(
    'SELECT customer_id, word FROM customer_words WHERE merchant_id = $1 AND customer_id = ANY($2::text[])',
    [merchantId, customerIds],
  );
}
