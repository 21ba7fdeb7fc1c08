import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/db.ts';
import { endsWithin } from '../network/ends-within.ts';
import type { Platform } from '../platform.ts';
import { databaseClock } from '../time/clock.ts';
import { machineClock, readClocks } from '../time/clock-skew.ts';
import { cachedFor } from '../values/cached-for.ts';
import { ApiError } from '../values/errors.ts';

const DATABASE_MS = 2000;

/** Whether the database answers within two seconds. Its answer is its time, by which this machine's clock is judged. */
export function checkDatabase(db: Db): Promise<boolean> {
  const asked = db.read(async (tx) => {
    const before = readClocks();
    const row = await tx.row<{ at: Temporal.Instant }>('SELECT clock_timestamp() AS at');
    if (row !== null)
      machineClock.note(before, databaseClock.timeOf(row.at).epochMilliseconds, readClocks());
  });
  return endsWithin(asked, DATABASE_MS).catch(() => false);
}

/** However many ask, the database is asked once in so long. */
const ANSWER_KEPT_MS = 1000;
const PLAIN = {
  schema: { hide: true },
  config: { limitedBy: 'health', work: 'unbounded' },
} as const;

/**
 * `/healthz`: the process is up. `/readyz`: it can work, otherwise 503. Neither requires authentication. `/readyz` reads only: a
 * database that cannot be written is the same for every process, and to take all of them out of rotation would end the reads too.
 */
export function addHealth(app: FastifyInstance, platform: Platform): void {
  const isReady = cachedFor(ANSWER_KEPT_MS, () => checkDatabase(platform.db));
  app.get('/healthz', PLAIN, async () => ({ status: 'up' }));
  app.get('/readyz', PLAIN, async () => {
    if (!(await isReady()))
      throw new ApiError('service_unavailable', 'The database does not answer.');
    if (machineClock.isTooFar())
      throw new ApiError('service_unavailable', "This machine's clock is wrong.");
    return { status: 'ready' };
  });
}
