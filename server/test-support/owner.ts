import type { Db, Tx } from '../src/platform/db/db.ts';

/**
 * Runs statements with the rights of the database's owner, who made the tables; the service itself has fewer. Without a
 * transaction, so that it can VACUUM. In a transaction of its own a test says BE_OWNER instead.
 */
export function asOwner<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.read(async (tx) => {
    await tx.run('SET ROLE NONE');
    try {
      return await work(tx);
    } finally {
      await tx.run('SET ROLE recollect_engine');
    }
  });
}

/** Gives the rest of a transaction the rights of the database's owner. */
export const BE_OWNER = 'SET LOCAL ROLE NONE';
