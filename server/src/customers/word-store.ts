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
 * Returns the customers that have at least `least` of the entries, newest first. They come as one row: thousands may share a
 * first name.
 */
export async function findByWords(
  tx: Tx,
  merchantId: string,
  words: readonly Buffer[],
  least: number,
  limit: number,
): Promise<string[]> {
  if (words.length < least || words.length === 0) return [];
  // With one word the index has the order, and nothing is counted.
  const found =
    words.length === 1
      ? `word = ($2::bytea[])[1]`
      : `word = ANY($2::bytea[]) GROUP BY customer_id HAVING count(*) >= ${Math.trunc(least)}`;
  const row = await tx.row<{ ids: string[] | null }>(
    `SELECT array_agg(customer_id) AS ids FROM (SELECT customer_id FROM customer_words
     WHERE merchant_id = $1 AND ${found} ORDER BY customer_id DESC LIMIT $3) f`,
    [merchantId, [...words], limit],
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

/** A customer's row, and the merchant whose it is. */
export type CustomerOf = CustomerRow & { merchantId: string };

/** Returns the next customers of all merchants after a place, in the order of their keys; erased ones are left out. */
export async function readCustomersAfter(
  tx: Tx,
  after: { merchantId: string; customerId: string },
  limit: number,
): Promise<CustomerOf[]> {
  return tx.rows<CustomerOf>(
    `SELECT merchant_id, customer_id, phone, bank_account, name, email, reference, erased_at FROM customers
     WHERE (merchant_id, customer_id) > ($1, $2) AND erased_at IS NULL
     ORDER BY merchant_id, customer_id LIMIT $3`,
    [after.merchantId, after.customerId, limit],
  );
}
