import { byShard, forGroup } from '../cluster/shards.ts';
import type { Db } from '../db/db.ts';
import { type HasWork, isByMerchant, merchantsDue } from './due.ts';

/** A stage, as far as running it goes. */
interface Runs extends HasWork {
  readonly batch: number;
  readonly handed?: { merchantIds(): string[] };
  run(now: Temporal.Instant, limit: number): Promise<number>;
}

/**
 * Runs a stage once, and returns how much it did. On a single PostgreSQL that is all. On a cluster it runs for the merchants of
 * one shard after the other (docs/scale.md#how-the-engine-works-there): a node that fails holds up its own merchants only. Throws
 * the first error when all groups have had their turn.
 */
export async function runByShard(db: Db, stage: Runs, now: Temporal.Instant): Promise<number> {
  const run = () => stage.run(now, stage.batch);
  if (!isByMerchant(stage) || !(await db.isOnCluster())) return run();
  const groups = await db.read(async (tx) => {
    const handed = stage.handed?.merchantIds() ?? [];
    const merchantIds = new Set([...(await merchantsDue(tx, stage, now)), ...handed]);
    return byShard(tx, [...merchantIds], (id) => id);
  });
  let done = 0;
  const failures: unknown[] = [];
  for (const group of groups)
    try {
      done += await forGroup(group, run);
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
  return done;
}
