import type { Db } from '../../platform/db/db.ts';
import type { Pools } from '../../platform/db/pools.ts';
import { checkDatabase } from '../../platform/http/health.ts';
import { endsWithin } from '../../platform/network/ends-within.ts';
import { cachedFor } from '../../platform/values/cached-for.ts';
import { errorCode } from '../../platform/values/thrown.ts';
import { type DatabaseState, LATE } from './database-problem.ts';
import { writeCheck } from './write-store.ts';

/** However many ask, the database is asked once in so long. */
const CACHE_MS = 2_000;
const WRITE_EVERY_MS = 30_000;
const WRITE_MS = 2_000;
/** SQLSTATEs of a server that shuts down, crashes or starts, and of a lost connection. */
const UNAVAILABLE_SQLSTATE = /^(57P|08)/;

/**
 * Makes the check of the database, which never throws. It reads each time, and writes once in `writeEveryMs`. A statement of this
 * process that was refused for want of space, memory or connections counts until the next write succeeds.
 */
export function makeDatabaseCheck(
  pools: Pools,
  { keptMs = CACHE_MS, writeEveryMs = WRITE_EVERY_MS } = {},
): () => Promise<DatabaseState> {
  const write = cachedFor(writeEveryMs, async () => {
    const beganMs = performance.now();
    return { beganMs, refusal: await tryToWrite(pools.engine) };
  });
  return cachedFor(keptMs, async () => {
    const startMs = performance.now();
    if (!(await checkDatabase(pools.engine))) return { milliseconds: null, refusal: null };
    const milliseconds = Math.round(performance.now() - startMs);
    const { beganMs, refusal } = await write();
    if (refusal !== null && UNAVAILABLE_SQLSTATE.test(refusal))
      return { milliseconds: null, refusal: null };
    const refused = [pools.api, pools.engine]
      .map((pool) => pool.shortage())
      .find((shortage) => shortage !== null && shortage.atMs > beganMs);
    return { milliseconds, refusal: refusal ?? refused?.code ?? null };
  });
}

/** Returns why a write failed; null: it did not. */
async function tryToWrite(db: Db): Promise<string | null> {
  const written = db.transaction(writeCheck, { lockTimeoutMs: WRITE_MS });
  try {
    return (await endsWithin(written, WRITE_MS)) ? null : LATE;
  } catch (error) {
    return errorCode(error) || LATE;
  }
}
