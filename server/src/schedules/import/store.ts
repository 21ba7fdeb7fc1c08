import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { lockName } from '../../platform/db/lock-store.ts';

/** What a line is recognised by: two blind indexes, of what names it and of all that it says. */
export interface Recognised {
  key: Buffer;
  content: Buffer;
}

/** A line that was imported. */
export interface Imported extends Recognised {
  scheduleId: string;
}

/** Waits for the merchant's other imports, until the end of the transaction: two of one file create nothing twice. */
export const lockImports = (tx: Tx, merchantId: string): Promise<void> =>
  lockName(tx, `import ${merchantId}`);

/**
 * Discards the connection's plans. It keeps those of its foreign keys' checks, and one that was made while schedules
 * were few, and not analysed yet, reads all schedules of the merchant for each new one.
 */
export async function discardPlans(tx: Tx): Promise<void> {
  await tx.run('DISCARD PLANS');
}

/** Returns those of some lines that were imported before. */
export async function findImported(
  tx: Tx,
  merchantId: string,
  keys: readonly Buffer[],
): Promise<Imported[]> {
  const rows = await tx.rows<{ lineKey: Buffer; content: Buffer; scheduleId: string }>(
    `SELECT line_key, content, schedule_id FROM imported_lines
     WHERE merchant_id = $1 AND line_key = ANY($2::bytea[])`,
    [merchantId, keys],
  );
  return rows.map((row) => ({
    key: row.lineKey,
    content: row.content,
    scheduleId: row.scheduleId,
  }));
}

/** Records lines as imported. */
export async function insertImported(
  tx: Tx,
  merchantId: string,
  lines: readonly Imported[],
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `INSERT INTO imported_lines (merchant_id, line_key, content, schedule_id, imported_at)
     SELECT $1, l.line_key, l.content, l.schedule_id, $5
     FROM unnest($2::bytea[], $3::bytea[], $4::text[]) AS l (line_key, content, schedule_id)`,
    [merchantId, ...columns(lines, 'key', 'content', 'scheduleId'), now],
  );
}
