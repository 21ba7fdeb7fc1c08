import type { Tx } from '../src/platform/db/db.ts';

/**
 * Returns how many rows were read so far, of these tables or of all. PostgreSQL counts per connection and resets the count now
 * and then, but never within a transaction: the rows read by one transaction are the difference between two calls in it.
 */
export async function rowsRead(tx: Tx, tables: readonly string[] | null = null): Promise<number> {
  const row = await tx.row<{ rows: number }>(
    `SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint AS rows FROM pg_stat_xact_user_tables
     WHERE $1::text[] IS NULL OR relname = ANY($1)`,
    [tables],
  );
  return row?.rows ?? 0;
}
