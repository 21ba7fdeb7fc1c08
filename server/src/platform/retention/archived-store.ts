import type { Tx } from '../db/db.ts';

/**
 * Returns the moment before which history may be in the archive and not in the database any more; null: nothing was archived.
 * docs/rules/retention.md#the-archive
 */
export async function archivedBefore(tx: Tx): Promise<Temporal.Instant | null> {
  const row = await tx.row<{ horizon: Temporal.Instant | null }>(
    'SELECT max(horizon) AS horizon FROM archives WHERE verified_at IS NOT NULL AND subjects > 0',
  );
  return row?.horizon ?? null;
}
