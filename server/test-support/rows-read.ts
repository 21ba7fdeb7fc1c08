import type { Tx } from '../src/platform/db.ts';

/**
 * How many rows were read so far, of these tables or of all. PostgreSQL counts for the connection, and starts again now and then,
 * never within a transaction: what one transaction has read is the difference between two of its moments.
 */
export async function rowsRead(tx: Tx, tables: readonly string[] | null = null): Promise<number> {
  const row = await tx.row<{ rows: number }>(
    `SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint AS rows FROM pg_stat_xact_user_tables
     WHERE $1::text[] IS NULL OR relname = ANY($1)`,
    [tables],
  );
  return row?.rows ?? 0;
}
