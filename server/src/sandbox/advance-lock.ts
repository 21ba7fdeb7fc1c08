import type { Db, Tx } from '../platform/db/db.ts';
import { ApiError } from '../platform/values/errors.ts';

const LOCK = 7_265_636_004;

/** Takes the lock for the rest of the transaction; returns false if an advance holds it. */
async function tryLock(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
    LOCK,
  ]);
  return row?.taken ?? false;
}

/** Whether a process is advancing the clock; a crashed process does not count. */
export async function isAdvancing(tx: Tx): Promise<boolean> {
  return !(await tryLock(tx));
}

/**
 * Runs the work while no other process, and no other call here, advances the clock. Throws 409 `clock_busy`. The lock ends with
 * its connection, so a crashed process never leaves it behind.
 */
export async function whileAdvancing<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const [outcome] = await db.transaction(async (tx) => {
    await tx.run('SET LOCAL idle_in_transaction_session_timeout = 0'); // the transaction only holds the lock
    if (!(await tryLock(tx)))
      throw new ApiError('clock_busy', 'The clock is being moved forward; try again in a moment.');
    return Promise.allSettled([work()]); // an error in the work must not retry the transaction
  });
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** Like `whileAdvancing`, but first reads where another process has just left the clock. */
export function whileMoving<T>(
  db: Db,
  clock: { look: () => Promise<void> },
  work: () => Promise<T>,
): Promise<T> {
  return whileAdvancing(db, async () => {
    await clock.look();
    return work();
  });
}
