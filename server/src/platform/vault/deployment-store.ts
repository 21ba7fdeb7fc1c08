import type { Tx } from '../db/db.ts';
import type { KeyCheck, Mode, Stamp } from './deployment.ts';

/** Returns the stamp of this database; null if no service has started on it yet. */
export async function readStamp(tx: Tx): Promise<Stamp | null> {
  const table = await tx.row<{ isThere: boolean }>(
    `SELECT to_regclass('deployment_keys') IS NOT NULL AS is_there`,
  );
  if (table?.isThere !== true) return null;
  const row = await tx.row<Omit<Stamp, 'keys'>>(`SELECT deployment_id, mode FROM deployment`);
  if (row === null) return null;
  const keys = await tx.rows<KeyCheck>(
    `SELECT purpose, key_id, check_value AS value FROM deployment_keys ORDER BY purpose, key_id`,
  );
  return { ...row, keys };
}

/** Writes the missing parts of the stamp. If several processes start at once, the first one's mode and keys stay. */
export async function writeStamp(tx: Tx, mode: Mode, keys: readonly KeyCheck[]): Promise<void> {
  await tx.run(
    'INSERT INTO deployment (deployment_id, mode) VALUES (gen_random_uuid()::text, $1) ON CONFLICT DO NOTHING',
    [mode],
  );
  for (const { purpose, keyId, value } of keys)
    await tx.run(
      'INSERT INTO deployment_keys (purpose, key_id, check_value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [purpose, keyId, value],
    );
}

/** Whether this database is stamped live. */
export async function isStampedLive(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ mode: Mode }>('SELECT mode FROM deployment');
  return row?.mode === 'live';
}

/** How many rows of a column contain a value sealed under a key. */
export interface SealedRows {
  /** `<table>.<column>` */
  column: string;
  count: number;
}

/**
 * Counts the rows sealed under an encryption key, in every text column of every table, so columns added later count too; a column
 * of JSON counts if one of its values is. Reads whole tables. Returns only the columns that have any.
 */
export async function sealedUnder(tx: Tx, keyId: string): Promise<SealedRows[]> {
  const tables = await tx.rows<{ name: string; columns: string[] }>(
    `SELECT quote_ident(c.table_name) AS name,
       array_agg(quote_ident(c.column_name) ORDER BY c.ordinal_position) AS columns
     FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.data_type = 'text'
     GROUP BY c.table_name ORDER BY c.table_name`,
  );
  const found: SealedRows[] = [];
  for (const { name, columns } of tables) {
    const counts = columns.map(
      (column, n) =>
        `count(*) FILTER (WHERE starts_with(${column}, $1) OR strpos(${column}, '"' || $1) > 0) AS c${n}`,
    );
    const row = await tx.row<Record<string, number>>(`SELECT ${counts.join(', ')} FROM ${name}`, [
      `v1.${keyId}.`,
    ]);
    for (const [n, column] of columns.entries()) {
      const count = row?.[`c${n}`] ?? 0;
      if (count > 0) found.push({ column: `${name}.${column}`, count });
    }
  }
  return found;
}

/** Removes an encryption key from the stamp: a process may then start without it. */
export async function forgetKey(tx: Tx, keyId: string): Promise<void> {
  await tx.run(`DELETE FROM deployment_keys WHERE purpose = 'encryption' AND key_id = $1`, [keyId]);
}
