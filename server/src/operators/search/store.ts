import type { Tx } from '../../platform/db.ts';
import type { IdPrefix } from '../../platform/ids.ts';

/** Something of a merchant, found by its id. */
export interface FoundObject {
  merchant_id: string;
  merchant_name: string;
}

/** The tables whose rows are found by their ids, by prefix. Each has the primary key (merchant_id, id). */
const TABLES = {
  cus: ['customers', 'customer_id'],
  sch: ['schedules', 'schedule_id'],
  con: ['consents', 'consent_id'],
  pay: ['payments', 'payment_id'],
  ref: ['refunds', 'refund_id'],
  set: ['settlements', 'settlement_id'],
  una: ['unallocated_items', 'item_id'],
  end: ['webhook_endpoints', 'endpoint_id'],
  key: ['api_keys', 'key_id'],
} as const satisfies Partial<Record<IdPrefix, readonly [string, string]>>;

export type FoundPrefix = keyof typeof TABLES;
export const FOUND_PREFIXES = Object.keys(TABLES) as FoundPrefix[];

/** Returns whose object it is, or null. Looks it up once per merchant, along the primary key. */
export function findObject(tx: Tx, prefix: FoundPrefix, id: string): Promise<FoundObject | null> {
  const [table, key] = TABLES[prefix];
  return tx.row<FoundObject>(
    `SELECT m.merchant_id, m.name AS merchant_name FROM merchants m
     CROSS JOIN LATERAL (SELECT 1 FROM ${table} WHERE merchant_id = m.merchant_id AND ${key} = $1 OFFSET 0) f LIMIT 1`,
    [id],
  );
}
