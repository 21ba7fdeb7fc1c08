import type pg from 'pg';
import { doingAsOwner } from '../connection/owners-rights.ts';
import type { Tx } from '../connection/transaction.ts';
import { confinedByKeys, confinedTo } from './confined.ts';
import { Shards } from './shards.ts';
import { isCluster } from './spread.ts';

/** Whether a database is a single PostgreSQL or a cluster, as the first connection finds out. */
export class Topology {
  readonly #shards = new Shards();
  /** Whether it is a cluster; undefined: not found out yet. */
  known: boolean | undefined;

  /** Whether the tables may lie on several nodes: settings then go to each of them. Gives the connection back if it fails. */
  async isCluster(client: pg.PoolClient): Promise<boolean> {
    try {
      this.known ??= await isCluster(client);
      return this.known;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Confines each statement on a cluster to one merchant; undefined: to those whose keys it binds, or the group in work. */
  confine<T>(work: (tx: Tx) => Promise<T>, merchantId?: string): (tx: Tx) => Promise<T> {
    const shards = this.#shards;
    return (tx) =>
      work({
        ...(merchantId === undefined
          ? confinedByKeys(tx)
          : doingAsOwner(confinedTo(tx, merchantId))),
        shards,
      });
  }
}
