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
