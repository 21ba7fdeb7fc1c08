import type { SqlValue, Tx } from '../../platform/db/db.ts';
import type { Conditions } from '../../platform/http/lists/conditions.ts';
import { opaque } from '../../platform/values/opaque.ts';

/** What a search of a list finds: whatever matches one of these. */
export interface Match {
  scheduleIds: readonly string[];
  paymentIds: readonly string[];
  customerIds: readonly string[];
  /** For each word typed, the words that begin with it. A schedule matches if it has one of each. */
  words: readonly (readonly string[])[];
  pence: number | null;
}

/** Returns up to `limit` schedules of these customers, in no order. */
export async function findSchedulesOf(
  tx: Tx,
  merchantId: string,
  customerIds: readonly string[],
  limit: number,
): Promise<string[]> {
  if (customerIds.length === 0) return [];
  const rows = await tx.rows<{ scheduleId: string }>(
    'SELECT schedule_id FROM schedules WHERE merchant_id = $1 AND customer_id = ANY($2::text[]) LIMIT $3',
    [merchantId, customerIds, limit],
  );
  return rows.map((row) => row.scheduleId);
}

/** Returns the schedules and customers of these payments. */
export function findOwners(
  tx: Tx,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<{ scheduleId: string; customerId: string }[]> {
  if (paymentIds.length === 0) return Promise.resolve([]);
  return tx.rows(
    `SELECT DISTINCT schedule_id, customer_id FROM payments WHERE merchant_id = $1 AND payment_id = ANY($2::text[])`,
    [merchantId, paymentIds],
  );
}

/** Returns the payments that a bank knows by this id, in any of their attempts. */
export async function findOfBank(
  tx: Tx,
  merchantId: string,
  bankPaymentId: string,
): Promise<string[]> {
  const rows = await tx.rows<{ paymentId: string }>(
    'SELECT payment_id FROM attempts WHERE merchant_id = $1 AND bank_payment_id = $2',
    [merchantId, bankPaymentId],
  );
  return rows.map((row) => row.paymentId);
}

/** Sorts after every digit of an id. */
const AFTER_DIGITS = '~';

const OF_KIND = {
  sch: { table: 'schedules', column: 'schedule_id' },
  pay: { table: 'payments', column: 'payment_id' },
  cus: { table: 'customers', column: 'customer_id' },
  set: { table: 'settlements', column: 'settlement_id' },
} as const;

/** Returns the ids of a kind that begin with a text, newest first. */
export async function findIds(
  tx: Tx,
  merchantId: string,
  kind: keyof typeof OF_KIND,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const { table, column } = OF_KIND[kind];
  const rows = await tx.rows<{ id: string }>(
    `SELECT ${column} AS id FROM ${table}
     WHERE merchant_id = $1 AND ${column} >= $2 AND ${column} < $2 || $3::text
     ORDER BY ${column} DESC LIMIT $4`,
    [merchantId, prefix, AFTER_DIGITS, limit],
  );
  return rows.map((row) => row.id);
}

/** Where the rows of a list have what a search may find. */
export interface Row {
  scheduleId: string;
  customerId: string;
  /** Absent: the list has no payments. */
  paymentId?: string;
  /** Returns the condition that the row has this amount. */
  hasAmount: (place: string) => string;
}

/** More customers are hashed: a page is full sooner in the order of the list, and a kept plan goes along `ANY` for each row. */
const MANY_CUSTOMERS = 2_000;

/**
 * Adds the condition that a search finds the row; the merchant is $1. Each word is looked up by key (`OFFSET 0`): otherwise the
 * planner reads all schedules with the word first.
 */
export function addMatch(to: Conditions, match: Match, row: Row): void {
  const place = (value: SqlValue) => `$${to.values.push(value)}`;
  const ways: string[] = [];
  if (match.scheduleIds.length > 0)
    ways.push(`${row.scheduleId} = ANY(${place(match.scheduleIds)}::text[])`);
  if (match.customerIds.length > 0) {
    const ids = `${place(match.customerIds)}::text[]`;
    ways.push(
      match.customerIds.length > MANY_CUSTOMERS
        ? opaque(`${row.customerId} IN (SELECT unnest(${ids}))`)
        : `${row.customerId} = ANY(${ids})`,
    );
  }
  if (match.paymentIds.length > 0 && row.paymentId !== undefined)
    ways.push(`${row.paymentId} = ANY(${place(match.paymentIds)}::text[])`);
  if (match.pence !== null) ways.push(row.hasAmount(`${place(match.pence)}::bigint`));
  if (match.words.length > 0) {
    const each = match.words.map(
      (entries) => `EXISTS (SELECT FROM schedule_words w WHERE w.merchant_id = $1
        AND w.word = ANY(${place(entries)}::text[]) AND w.schedule_id = ${row.scheduleId} OFFSET 0)`,
    );
    ways.push(`(${each.join(' AND ')})`);
  }
  to.also(ways.length === 0 ? 'false' : `(${ways.join(' OR ')})`);
}
