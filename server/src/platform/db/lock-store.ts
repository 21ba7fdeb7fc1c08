import type { Tx } from './db.ts';

/** Waits for whoever holds this name, and holds it until the end of the transaction: for what has no row that could be locked. */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await tx.run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
