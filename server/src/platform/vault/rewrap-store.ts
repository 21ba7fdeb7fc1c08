import { byColumn } from '../db/columns.ts';
import type { Tx } from '../db/db.ts';
import type { SealedColumn, SealedRow } from './sealed-columns.ts';

/** A row of one page: its key, and its text if that is sealed under another key than the current one; otherwise null. */
export type PageRow = SealedRow & { sealed: string | null };

/** The values of a primary key, in its order; null: before the first row. */
export type Position = readonly string[] | null;

const sealedBy = ({ column, field }: SealedColumn, key: string): string =>
  field === undefined
    ? `starts_with(${column}, 'v1.' || ${key})`
    : `strpos(${column}, '"${field}":"v1.' || ${key}) > 0`;

/**
 * Reads the next rows in the order of the primary key, at most `limit`, without locking them. `current`: the id of the key that
 * seals.
 */
export async function readPage(
  tx: Tx,
  what: SealedColumn,
  { after, current, limit }: { after: Position; current: string; limit: number },
): Promise<PageRow[]> {
  const key = what.key.join(', ');
  const named = [...what.key, ...(what.also ?? [])];
  const from = what.key.map((_, n) => `$${n + 3}`).join(', ');
  const isStale = `${sealedBy(what, "''")} AND NOT ${sealedBy(what, "$1::text || '.'")}`;
  const rows = await tx.rows<PageRow>(
    `SELECT ${named.join(', ')}, CASE WHEN ${isStale} THEN ${what.column} END AS sealed FROM ${what.table}
     ${after === null ? '' : `WHERE (${key}) > (${from})`} ORDER BY ${key} LIMIT $2`,
    [current, limit, ...(after ?? [])],
  );
  return rows.map((row) => ({ ...byColumn(row, named), sealed: row.sealed }) as PageRow);
}

/** Replaces the text of a row if it is still the one that was read; returns whether it was. */
export async function replaceSealed(
  tx: Tx,
  what: SealedColumn,
  row: PageRow,
  fresh: string,
): Promise<boolean> {
  const isRow = what.key.map((column, n) => `${column} = $${n + 3}`).join(' AND ');
  const changed = await tx.run(
    `UPDATE ${what.table} SET ${what.column} = $2 WHERE ${what.column} = $1 AND ${isRow}`,
    [row.sealed, fresh, ...what.key.map((column) => row[column] ?? '')],
  );
  return changed === 1;
}

/** Gives the rest of a transaction the rights of the login, which owns the tables: for what the service may not change. */
export async function beOwner(tx: Tx): Promise<void> {
  await tx.run('SET LOCAL ROLE NONE');
}
