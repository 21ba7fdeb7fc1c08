import type { Tx } from '../../platform/db/db.ts';
import type { IdPrefix } from '../../platform/values/ids.ts';

/** Something of a merchant, found by its id. */
export interface FoundObject {
  merchantId: string;
  merchantName: string;
}

/** What is found by its id, by prefix: its kind, and its table, whose primary key is (merchant_id, id). */
export const FINDABLE = {
  cus: { kind: 'customer', table: 'customers', key: 'customer_id' },
  sch: { kind: 'schedule', table: 'schedules', key: 'schedule_id' },
  con: { kind: 'consent', table: 'consents', key: 'consent_id' },
  pay: { kind: 'payment', table: 'payments', key: 'payment_id' },
  ref: { kind: 'refund', table: 'refunds', key: 'refund_id' },
  set: { kind: 'settlement', table: 'settlements', key: 'settlement_id' },
  una: { kind: 'unallocated_money', table: 'unallocated_items', key: 'item_id' },
  end: { kind: 'webhook_endpoint', table: 'webhook_endpoints', key: 'endpoint_id' },
  key: { kind: 'api_key', table: 'api_keys', key: 'key_id' },
} as const satisfies Partial<Record<IdPrefix, { kind: string; table: string; key: string }>>;

type Findable = keyof typeof FINDABLE;
export const FOUND_PREFIXES = Object.keys(FINDABLE) as Findable[];

/** Returns whose object it is, or null. Looks it up once per merchant, along the primary key. */
export function findObject(tx: Tx, prefix: Findable, id: string): Promise<FoundObject | null> {
  const { table, key } = FINDABLE[prefix];
  return tx.row<FoundObject>(
    `SELECT m.merchant_id, m.name AS merchant_name FROM merchants m
     CROSS JOIN LATERAL (SELECT 1 FROM ${table} WHERE merchant_id = m.merchant_id AND ${key} = $1 OFFSET 0) f LIMIT 1`,
    [id],
  );
}

/** Something of a merchant, found by a reference that others know it by. */
export interface FoundByReference extends FoundObject {
  kind: 'payment' | 'schedule' | 'settlement';
  id: string;
}

/** Letters and digits of a reference: banks replace what stands between them. */
const PLAIN = /[^A-Za-z0-9]/g;
const plain = (column: string): string =>
  `lower(regexp_replace(${column}, '[^A-Za-z0-9]', '', 'g'))`;

/**
 * How banks know a payment ($1), and what stands on the merchant's statement for a settlement ($2) and on the customer's for a
 * schedule ($2), which the index of its words finds once per merchant ($3: a word of it).
 */
const BY_REFERENCE = [
  `SELECT 'payment' AS kind, o.payment_id AS id, m.merchant_id, m.name AS merchant_name
   FROM attempts o JOIN merchants m ON m.merchant_id = o.merchant_id WHERE o.bank_payment_id = $1::text
     AND $2::text IS NOT NULL AND $3::text IS NOT NULL`,
  `SELECT 'settlement' AS kind, o.settlement_id AS id, m.merchant_id, m.name AS merchant_name
   FROM settlements o JOIN merchants m ON m.merchant_id = o.merchant_id
   WHERE upper(coalesce(o.statement_reference, right(o.settlement_id, 18))) = upper($2)
     AND $1::text IS NOT NULL AND $3::text IS NOT NULL`,
  `SELECT 'schedule' AS kind, o.schedule_id AS id, m.merchant_id, m.name AS merchant_name
   FROM merchants m CROSS JOIN LATERAL (
     SELECT s.schedule_id FROM schedule_words w
     JOIN schedules s ON s.merchant_id = w.merchant_id AND s.schedule_id = w.schedule_id
     WHERE w.merchant_id = m.merchant_id AND w.word = $3
       AND ${plain('coalesce(s.statement_reference, right(s.schedule_id, 18))')} = $2 OFFSET 0) o
   WHERE $1::text IS NOT NULL`,
];

/**
 * Returns what has this reference, whole and in any case: a bank's id of a payment, or what stands on a statement. `word`: the
 * last word of it.
 */
export async function findByReference(
  tx: Tx,
  reference: string,
  word: string,
  limit: number,
): Promise<FoundByReference[]> {
  const values = [reference, reference.replaceAll(PLAIN, '').toLowerCase(), word, limit];
  const found = await Promise.all(
    BY_REFERENCE.map((sql) => tx.rows<FoundByReference>(`${sql} LIMIT $4`, values)),
  );
  return found.flat();
}
