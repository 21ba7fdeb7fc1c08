import type { Tx } from '../server/src/platform/db/db.ts';
import type { World } from './world.ts';

/** Ids of ours in a text. */
const ID = /\b[a-z]{3}_[0-9A-Za-z]{10,}/g;
const MAX_IDS = 6;
const MAX_ROWS = 40;
const SEALED = /^v1[.]k1[.]/;

/** Where a row is about something: by the column that names it. */
const TABLES: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['schedules', ['schedule_id']],
  ['schedule_agenda', ['schedule_id']],
  ['schedule_terms', ['schedule_id']],
  ['occurrence_changes', ['schedule_id']],
  ['consents', ['consent_id', 'schedule_id']],
  ['payments', ['payment_id']],
  ['payment_work', ['payment_id']],
  ['attempts', ['payment_id']],
  ['payment_orders', ['payment_id']],
  ['unallocated_items', ['payment_id', 'item_id']],
  ['settlements', ['settlement_id']],
  ['settlement_payments', ['payment_id', 'settlement_id']],
  ['refunds', ['refund_id', 'payment_id']],
  ['disputes', ['dispute_id', 'payment_id']],
  ['debts', ['payment_id', 'debt_id']],
  ['state_changes', ['object_id']],
];

/** The rows of our database, and the lines of the history, that are about what is named in these lines. */
export async function rowsOf({ db, history }: World, lines: readonly string[]): Promise<string[]> {
  const ids = [...new Set(lines.flatMap((line) => line.match(ID) ?? []))].slice(0, MAX_IDS);
  if (ids.length === 0) return [];
  return db.read(async (tx) => {
    const all: string[] = [];
    for (const [table, columns] of TABLES) all.push(...(await rowsIn(tx, table, columns, ids)));
    const about = history.sorted().filter((line) => ids.some((id) => line.includes(id)));
    return [...all, ...about.slice(-MAX_ROWS)];
  });
}

async function rowsIn(
  tx: Tx,
  table: string,
  columns: readonly string[],
  ids: readonly string[],
): Promise<string[]> {
  const where = columns.map((column) => `${column} = ANY ($1)`).join(' OR ');
  const rows = await tx.rows<Record<string, unknown>>(
    `SELECT * FROM ${table} WHERE ${where} LIMIT ${MAX_ROWS}`,
    [ids],
  );
  return rows.map((row) => `${table} ${JSON.stringify(row, readable)}`);
}

/** What is sealed says nothing, and what is null neither. */
function readable(_name: string, value: unknown): unknown {
  return value === null || (typeof value === 'string' && SEALED.test(value)) ? undefined : value;
}
