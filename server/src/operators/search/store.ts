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

/** How banks know a payment, and what stands on statements: of the merchant for a settlement, of the customer for a schedule. */
const BY_REFERENCE = `
  SELECT 'payment' AS kind, a.payment_id AS id, a.merchant_id FROM attempts a WHERE a.bank_payment_id = $1
  UNION
  SELECT 'settlement', s.settlement_id, s.merchant_id FROM settlements s
    WHERE upper(coalesce(s.statement_reference, right(s.settlement_id, 18))) = upper($1)
  UNION
  SELECT 'schedule', f.schedule_id, m.merchant_id FROM merchants m CROSS JOIN LATERAL (
    SELECT s.schedule_id FROM schedule_words w
    JOIN schedules s ON s.merchant_id = w.merchant_id AND s.schedule_id = w.schedule_id
    WHERE w.merchant_id = m.merchant_id AND w.word = $2
      AND upper(coalesce(s.statement_reference, right(s.schedule_id, 18))) = upper($1) LIMIT $3 OFFSET 0) f`;

/**
 * Returns what has this reference, whole and in any case: a bank's id of a payment, or what stands on a statement. `word`: the
 * last word of it, by which schedules are indexed.
 */
export function findByReference(
  tx: Tx,
  reference: string,
  word: string,
  limit: number,
): Promise<FoundByReference[]> {
  return tx.rows<FoundByReference>(
    `SELECT f.kind, f.id, f.merchant_id, m.name AS merchant_name FROM (${BY_REFERENCE}) f
     JOIN merchants m ON m.merchant_id = f.merchant_id ORDER BY f.id DESC LIMIT $3`,
    [reference, word, limit],
  );
}
