import type { SqlValue, Tx } from '../platform/db/db.ts';
import { ARCHIVED, type Archived, KEY_OF } from './archive.ts';

/** The keys of rows of one merchant, each with the version that was read, by table. */
export type Keys = Partial<Record<Archived, (readonly (string | number)[])[]>>;

const TYPE_OF: Readonly<Record<string, string>> = { number: 'int', change_id: 'bigint' };

/** Returns the values of keys as columns, the version last. */
function keyColumns(table: Archived, keys: Keys): SqlValue[] {
  const rows = keys[table] ?? [];
  return [...KEY_OF[table], 'version'].map((_, n) => rows.map((key) => key[n] ?? null));
}

/** SQL: these rows of a table, by their keys, as `k`. */
function byKeys(table: Archived): string {
  const names = KEY_OF[table];
  const arrays = names.map((name, n) => `$${n + 2}::${TYPE_OF[name] ?? 'text'}[]`);
  const same = names.map((name) => `t.${name} = k.${name}`);
  return `unnest(${[...arrays, `$${names.length + 2}::text[]`].join(', ')}) AS k (${[...names, 'version'].join(', ')})
    WHERE t.merchant_id = $1 AND ${same.join(' AND ')}`;
}

/** Deletes rows that are as they were read, in the order of their references; returns how many. */
export async function deleteRows(
  tx: Tx,
  archiveId: string,
  merchantId: string,
  keys: Keys,
): Promise<number> {
  let deleted = 0;
  for (const table of ARCHIVED) {
    if (keys[table] === undefined || table === 'events' || table === 'state_changes') continue;
    deleted += await tx.run(
      `DELETE FROM ${table} t USING ${byKeys(table)} AND t.xmin::text = k.version`,
      [merchantId, ...keyColumns(table, keys)],
    );
  }
  const row = await tx.row<{ n: number }>('SELECT delete_archived($1, $2, $3, $4, $5, $6) AS n', [
    archiveId,
    merchantId,
    ...keyColumns('state_changes', keys),
    ...keyColumns('events', keys),
  ]);
  return deleted + (row?.n ?? 0);
}

/** Counts the rows of these keys that are in the database, whatever their version. */
export async function countRows(tx: Tx, merchantId: string, keys: Keys): Promise<number> {
  let count = 0;
  for (const table of ARCHIVED) {
    if (keys[table] === undefined) continue;
    const row = await tx.row<{ n: number }>(
      `SELECT count(*) AS n FROM ${table} t, ${byKeys(table)}`,
      [merchantId, ...keyColumns(table, keys)],
    );
    count += row?.n ?? 0;
  }
  return count;
}
