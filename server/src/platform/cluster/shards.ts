import { AsyncLocalStorage } from 'node:async_hooks';
import type { Splitting, Tx } from '../connection/transaction.ts';

const working = new AsyncLocalStorage<readonly string[]>();

/**
 * Runs work for some merchants, all of them of one shard. On a cluster, each statement of it that binds the ids of no merchants
 * concerns these alone, so that it is one task on one node and its transaction commits there.
 */
export const forGroup = <T>(merchantIds: readonly string[], work: () => Promise<T>): Promise<T> =>
  working.run(merchantIds, work);

/** Returns the merchants for whom the present work is done; undefined: for all. */
export const groupInWork = (): readonly string[] | undefined => working.getStore();

/** The shards of the merchants that a process has met: a merchant stays on its shard, wherever that moves. */
export class Shards implements Splitting {
  readonly #known = new Map<string, string | null>();

  async split<T>(
    tx: Tx,
    items: readonly T[],
    merchantOf: (item: T) => string | null,
  ): Promise<T[][]> {
    await this.#learn(
      tx,
      items.flatMap((item) => merchantOf(item) ?? []),
    );
    const shardOf = (item: T) => this.#known.get(merchantOf(item) ?? '');
    return [...Map.groupBy(items, shardOf).values()];
  }

  async #learn(tx: Tx, merchantIds: readonly string[]): Promise<void> {
    const unknown = [...new Set(merchantIds)].filter((id) => !this.#known.has(id));
    if (unknown.length === 0) return;
    const rows = await tx.rows<{ id: string; shard: string | null }>(
      `SELECT id, CASE WHEN EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'payments'::regclass)
         THEN get_shard_id_for_distribution_column('payments', id)::text END AS shard
       FROM unnest($1::text[]) AS m (id)`,
      [unknown],
    );
    for (const { id, shard } of rows) this.#known.set(id, shard);
  }
}

/** Splits items by the shard of their merchant: each part can be one task on one node. A single PostgreSQL has one part. */
export async function byShard<T>(
  tx: Tx,
  items: readonly T[],
  merchantOf: (item: T) => string | null,
): Promise<(readonly T[])[]> {
  return tx.shards === undefined ? [items] : tx.shards.split(tx, items, merchantOf);
}

/**
 * Does work that finds its rows by something else than their merchant, and returns all that it found. On a cluster it is done
 * for the merchants of one shard after the other, and `merchantsOf` tells whose rows they may be; nowhere else is it asked.
 */
export async function inGroups<T>(
  tx: Tx,
  merchantsOf: () => Promise<readonly string[]>,
  work: () => Promise<T[]>,
): Promise<T[]> {
  if (tx.shards === undefined || groupInWork() !== undefined) return work();
  const found: T[] = [];
  for (const group of await byShard(tx, await merchantsOf(), (id) => id))
    found.push(...(await forGroup(group, work)));
  return found;
}
