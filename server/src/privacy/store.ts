import type { CustomerRow } from '../customers/store.ts';
import { LEFT_OPEN_FOR } from '../payments/payment/retry.ts';
import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import { CUSTOMER_DATA, type CustomerData } from './customer-data-store.ts';

/** A customer of a merchant. */
export interface CustomerRef {
  merchantId: string;
  customerId: string;
}

/** Locks a customer's row against new schedules too; returns when it was erased, or null if there is none. */
export function lockForErasure(
  tx: Tx,
  { merchantId, customerId }: CustomerRef,
): Promise<{ erasedAt: Temporal.Instant | null } | null> {
  return tx.row(
    'SELECT erased_at FROM customers WHERE merchant_id = $1 AND customer_id = $2 FOR UPDATE',
    [merchantId, customerId],
  );
}

/** A customer as an operator finds them: nothing that names them. */
export interface FoundCustomer {
  merchantId: string;
  merchantName: string;
  createdAt: Temporal.Instant;
  erasedAt: Temporal.Instant | null;
}

/** Finds a customer of any merchant, or null. Looks them up once per merchant, along the primary key. */
export function findCustomer(tx: Tx, customerId: string): Promise<FoundCustomer | null> {
  return tx.row<FoundCustomer>(
    `SELECT m.merchant_id, m.name AS merchant_name, c.created_at, c.erased_at FROM merchants m
     CROSS JOIN LATERAL (SELECT created_at, erased_at FROM customers
       WHERE merchant_id = m.merchant_id AND customer_id = $1 OFFSET 0) c LIMIT 1`,
    [customerId],
  );
}

const SCHEDULES = 'SELECT schedule_id FROM schedules WHERE merchant_id = $1 AND customer_id = $2';
const OF_SCHEDULES = `schedule_id IN (${SCHEDULES})`;
const PAYMENTS = `SELECT payment_id FROM payments WHERE merchant_id = $1 AND ${OF_SCHEDULES}`;

/** What stops an erasure: what is counted, and the rows that are. */
const UNDER_WAY: Readonly<Record<string, string>> = {
  schedules: `schedules WHERE merchant_id = $1 AND customer_id = $2 AND status <> 'cancelled'`,
  consents: `consents WHERE merchant_id = $1 AND ${OF_SCHEDULES}
    AND status IN ('pending', 'authorising', 'authorised', 'granted')`,
  revocations: `bank_revocations r WHERE merchant_id = $1 AND due_at IS NOT NULL AND EXISTS (
    SELECT FROM consents c WHERE c.merchant_id = $1 AND c.bank_id = r.bank_id AND c.bank_consent_id = r.bank_consent_id
    AND c.${OF_SCHEDULES})`,
  payments: `payments WHERE merchant_id = $1 AND ${OF_SCHEDULES} AND status IN ('pending', 'processing')`,
  open_orders: `payment_evidence e JOIN attempts a ON a.merchant_id = e.merchant_id AND a.payment_id = e.payment_id
    AND a.number = e.attempt WHERE e.merchant_id = $1 AND e.payment_id IN (${PAYMENTS}) AND e.left_open
    AND (e.since > $3 OR a.bank_status = 'ACCC' AND NOT e.was_credited)`,
  unsettled: `payments p WHERE p.merchant_id = $1 AND p.${OF_SCHEDULES} AND p.status = 'success' AND NOT EXISTS (
    SELECT FROM settlements s WHERE s.merchant_id = $1 AND s.settlement_id = p.settlement_id AND s.status = 'success')`,
  refunds: `refunds WHERE merchant_id = $1 AND ${OF_SCHEDULES} AND status IN ('pending', 'processing')`,
  disputes: `disputes WHERE merchant_id = $1 AND ${OF_SCHEDULES} AND status = 'open'`,
  refunds_not_netted: `refund_lines WHERE merchant_id = $1 AND settlement_id IS NULL
    AND refund_id IN (SELECT refund_id FROM refunds WHERE merchant_id = $1 AND ${OF_SCHEDULES})`,
  unallocated: `unallocated_items WHERE merchant_id = $1 AND status = 'open' AND (payment_id IN (${PAYMENTS})
    OR wallet_id IN (SELECT wallet_id FROM wallets WHERE merchant_id = $1 AND customer_id = $2))`,
  debts: `debts WHERE merchant_id = $1 AND payment_id IN (${PAYMENTS}) AND (netted_at IS NULL OR due_at IS NOT NULL)`,
  notices: `notices WHERE merchant_id = $1 AND customer_id = $2 AND status = 'pending'`,
};

/** Counts what is under way for a customer, by kind; kinds with nothing are left out. */
export async function countUnderWay(
  tx: Tx,
  { merchantId, customerId }: CustomerRef,
  now: Temporal.Instant,
): Promise<Record<string, string>> {
  const kinds = Object.entries(UNDER_WAY);
  const counts = kinds.map(([, rows], n) => `(SELECT count(*) FROM ${rows}) AS k${n}`);
  const row = await tx.row<Record<string, number>>(
    // The parameters are typed here, so that each kind may use them or not.
    `WITH given AS (SELECT $1::text, $2::text, $3::timestamptz) SELECT ${counts.join(', ')} FROM given`,
    [merchantId, customerId, now.subtract(LEFT_OPEN_FOR)],
  );
  return Object.fromEntries(
    kinds.flatMap(([kind], n) => {
      const count = row?.[`k${n}`] ?? 0;
      return count > 0 ? [[kind, String(count)]] : [];
    }),
  );
}

const ofCustomer = (data: CustomerData): string =>
  `t.merchant_id = $1 AND $2::text IS NOT NULL AND ${data.rows}`;

/** Overwrites and deletes what erasure takes away, table by table. */
export async function eraseRows(
  tx: Tx,
  { merchantId, customerId }: CustomerRef,
  now: Temporal.Instant,
  statementName: string,
): Promise<void> {
  const given: Readonly<Record<string, Temporal.Instant | string>> = {
    customers: now,
    schedules: statementName,
  };
  for (const [table, data] of Object.entries(CUSTOMER_DATA)) {
    const set = Object.entries(data.erased ?? {}).map(([column, sql]) => `${column} = ${sql}`);
    const where = `WHERE ${ofCustomer(data)}`;
    const key = [merchantId, customerId];
    const own = given[table];
    if (table === 'customers') set.push('erased_at = $3');
    if (data.isDeleted) await tx.run(`DELETE FROM ${table} t ${where}`, key);
    else if (set.length > 0)
      await tx.run(
        `UPDATE ${table} t SET ${set.join(', ')} ${where}`,
        own === undefined ? key : [...key, own],
      );
  }
}

/** Removes the metadata of a customer's schedules. */
export async function eraseMetadata(
  tx: Tx,
  { merchantId, customerId }: CustomerRef,
): Promise<void> {
  await tx.run('UPDATE schedules SET metadata = NULL WHERE merchant_id = $1 AND customer_id = $2', [
    merchantId,
    customerId,
  ]);
}

/** An event's body as it is stored. */
export interface StoredBody {
  eventId: string;
  body: string;
}

/** Returns up to `limit` bodies of the customer's events after one of them, in the order of their ids. */
export async function listBodies(
  tx: Tx,
  { merchantId, customerId }: CustomerRef,
  after: string,
  limit: number,
): Promise<StoredBody[]> {
  const rows = await tx.rows<{ eventId: string; body: string }>(
    `SELECT event_id, body FROM events WHERE merchant_id = $1 AND ${OF_SCHEDULES} AND event_id > $3
     ORDER BY event_id LIMIT $4`,
    [merchantId, customerId, after, limit],
  );
  return rows.map((row) => ({ eventId: row.eventId, body: row.body }));
}

/** Replaces bodies of the customer's events. */
export async function replaceBodies(
  tx: Tx,
  { merchantId, customerId }: CustomerRef,
  bodies: readonly StoredBody[],
): Promise<void> {
  await tx.run('SELECT redact_events($1, $2, $3, $4)', [
    merchantId,
    customerId,
    ...columns(bodies, 'eventId', 'body'),
  ]);
}

/** Removes what was written as the reasons of the customer's refunds from the audit trail. */
export async function redactRefundReasons(
  tx: Tx,
  { merchantId, customerId }: CustomerRef,
): Promise<void> {
  await tx.run('SELECT redact_refund_reasons($1, $2)', [merchantId, customerId]);
}

/** What identifies a customer, as stored. */
type IdentityRow = Omit<CustomerRow, 'customerId' | 'erasedAt'>;

/** Returns what identifies a customer, as stored, and the ids of their schedules. */
export async function readIdentity(
  tx: Tx,
  { merchantId, customerId }: CustomerRef,
): Promise<{ row: IdentityRow | null; scheduleIds: string[] }> {
  const key = [merchantId, customerId];
  const row = await tx.row<IdentityRow>(
    `SELECT phone, bank_account, name, email, reference FROM customers WHERE merchant_id = $1 AND customer_id = $2`,
    key,
  );
  const schedules = await tx.rows<{ scheduleId: string }>(SCHEDULES, key);
  return { row, scheduleIds: schedules.map(({ scheduleId }) => scheduleId) };
}

/** Returns up to `limit` rows that a table holds of a customer, as JSON. */
export async function readRows(
  tx: Tx,
  table: string,
  { merchantId, customerId }: CustomerRef,
  limit: number,
): Promise<Record<string, unknown>[]> {
  const data = CUSTOMER_DATA[table];
  if (data === undefined) throw new Error(`${table} holds nothing of a customer`);
  const rows = await tx.rows<{ row: Record<string, unknown> }>(
    `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${ofCustomer(data)} LIMIT ${Math.trunc(limit)}`,
    [merchantId, customerId],
  );
  return rows.map(({ row }) => row);
}
