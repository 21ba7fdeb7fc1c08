import pg from 'pg';
import { Topology } from '../cluster/topology.ts';
import { listen } from '../connection/listener.ts';
import { inOneStatement, oneByOne, type Settings } from '../connection/settings.ts';
import { inReads, inTransaction, type Setting, type Tx } from '../connection/transaction.ts';
import { parsers } from '../connection/types.ts';
import { errorCode } from '../values/thrown.ts';

export type { Tx } from '../connection/transaction.ts';
export type { SqlValue } from '../connection/types.ts';

/** A statement or a connection that PostgreSQL refused for want of something (SQLSTATE class 53). */
export interface Shortage {
  code: string;
  /** As `performance.now()`. */
  atMs: number;
}

export interface Db {
  /**
   * Runs one transaction of the engine, which sees every merchant. Retries deadlocks and serialisation failures. Throws if a
   * statement failed and `work` swallowed its error. `isQueuePeek`: reads only the heads of queues, by an index or not at
   * all, and changes nothing. `actor`: who makes the changes; absent: the service. `lockTimeoutMs`: how long to wait for a lock;
   * `statementTimeoutMs`: how long a statement may take.
   */
  transaction<T>(
    work: (tx: Tx) => Promise<T>,
    options?: {
      isQueuePeek?: boolean;
      actor?: string;
      lockTimeoutMs?: number;
      statementTimeoutMs?: number;
    },
  ): Promise<T>;
  /**
   * Runs one transaction that row-level security confines to this merchant. `onlyReads`: changes nothing; the reads of one
   * turn of the event loop take one round trip, and each turn's are a transaction. `actor`: as above.
   */
  forMerchant<T>(
    merchantId: string,
    work: (tx: Tx) => Promise<T>,
    options?: { onlyReads?: boolean; actor?: string },
  ): Promise<T>;
  /** Runs reads that see every merchant; those of one turn of the event loop are one transaction. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs reads that see every merchant, all of them as of one moment. */
  snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Returns whether the tables may be spread over the nodes of a cluster. */
  isOnCluster(): Promise<boolean>;
  /** Calls `heard` for each notification on the channel; returns a function that stops listening. */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>;
  /** Returns how many connections are in use and idle, and how many callers wait for one. */
  connections(): { inUse: number; idle: number; waiting: number };
  /** Returns the latest refusal for want of space, memory or connections; null: there was none. */
  shortage(): Shortage | null;
  /** Returns a pool with pg's default types, opened on first use: for libraries that issue SQL themselves. */
  libraryPool(): pg.Pool;
  close(): Promise<void>;
}

/**
 * Fixes the format of instants and dates, whatever the defaults of the server or the role, and limits how long a session
 * waits for a lock, runs a statement, or idles in a transaction.
 */
const SESSION =
  "SET DateStyle = 'ISO'; SET TimeZone = 'UTC'; SET lock_timeout = '15s'; SET statement_timeout = '5min'; " +
  "SET idle_in_transaction_session_timeout = '60s'";
/**
 * The role of the service, which cannot change what is written once (docs/rules/access.md#who-may-change-what-in-the-database).
 * Every transaction takes it on, and every connection: there it fails only on a database that is not migrated yet.
 */
const ENGINE = 'recollect_engine';
/** How long to wait for a connection, new or from the pool. */
const CONNECT_MS = 10_000;
const MAX_TRIES = 5;
const LIBRARY_CONNECTIONS = 2;
/** A serialisation failure, a deadlock. */
const TRY_AGAIN = new Set(['40001', '40P01']);
/** A full disk, no memory, too many connections. */
const OUT_OF_RESOURCES = /^53/;

/** Opens a pool whose connections read instants and dates in one format. A broken connection does not end the process. */
function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    pipeline: true,
    ...config,
  });
  pool.on('error', () => undefined); // an idle connection that breaks is replaced by the next call
  pool.on('connect', (client) => {
    // Statements in progress on a broken connection fail on their own; without a listener the process would end.
    client.on('error', () => undefined);
    client.query(SESSION).catch(() => undefined);
    client.query(`SET ROLE ${ENGINE}`).catch(() => undefined);
  });
  return pool;
}

const BEGIN: Setting = { sql: 'BEGIN' };
const BEGIN_SNAPSHOT: Setting = { sql: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' };

/**
 * Finds rows by key, whatever the planner knows about a queue: a look-up costs next to nothing beside rows that are read and
 * compared. See docs/decisions/0020-what-the-planner-is-not-told.md.
 */
const BY_KEY = {
  enable_material: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_incremental_sort: 'off',
  random_page_cost: '0.1',
  cpu_operator_cost: '0.0001',
};

/** Reads the first entry of a queue from an index, never by sorting. */
const PEEK = { role: ENGINE, ...BY_KEY, enable_sort: 'off' };

/** Names the actor among the settings of a transaction. */
const actingAs = (actor: string | undefined): Record<string, string> =>
  actor === undefined ? {} : { 'recollect.actor': actor };

/** Limits a wait: `lock_timeout` or `statement_timeout`. */
const atMost = (setting: string, ms: number | undefined): Record<string, string> =>
  ms === undefined ? {} : { [setting]: `${ms}ms` };

const settingsOf = (options: Parameters<Db['transaction']>[1] = {}): Settings => ({
  role: ENGINE,
  ...BY_KEY,
  ...actingAs(options.actor),
  ...atMost('lock_timeout', options.lockTimeoutMs),
  ...atMost('statement_timeout', options.statementTimeoutMs),
});

/** Returns the same database for an actor: every transaction names it as the author of its changes. */
export function asActor(db: Db, actor: string): Db {
  return {
    ...db,
    transaction: (work, options) => db.transaction(work, { actor, ...options }),
    forMerchant: (id, work, options) => db.forMerchant(id, work, { actor, ...options }),
  };
}

/** Opens a pool on a PostgreSQL 15 or newer, with at most `max` connections; idle ones stay open. */
export function openDb(url: string, max = 20): Db {
  const pool = openPool({
    connectionString: url,
    max,
    types: parsers,
    application_name: 'recollect',
  });
  let libraryPool: pg.Pool | undefined;
  let shortage: Shortage | null = null;
  const noteShortage = (error: unknown): void => {
    const code = errorCode(error);
    if (OUT_OF_RESOURCES.test(code)) shortage = { code, atMs: performance.now() };
  };

  const tried = async <T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++)
      try {
        return await run(await pool.connect());
      } catch (error) {
        noteShortage(error);
        if (tries >= MAX_TRIES || !TRY_AGAIN.has(errorCode(error))) throw error;
      }
  };

  const topology = new Topology();
  const begun = <T>(
    settings: Settings,
    isReading: boolean,
    work: (tx: Tx) => Promise<T>,
    merchantId?: string,
  ): Promise<T> =>
    tried(async (client) => {
      if (await topology.isCluster(client)) {
        const begin = [BEGIN, ...oneByOne(settings)];
        return inTransaction(client, begin, topology.confine(work, merchantId));
      }
      return isReading
        ? inReads(client, inOneStatement(settings), work)
        : inTransaction(client, [BEGIN, ...inOneStatement(settings)], work);
    });

  const read: Db['read'] = async (work) => {
    const client = await pool.connect();
    return inReads(client, [], (await topology.isCluster(client)) ? topology.confine(work) : work);
  };

  return {
    transaction: (work, options) =>
      options?.isQueuePeek === true
        ? begun({ ...PEEK, ...atMost('statement_timeout', options.statementTimeoutMs) }, true, work)
        : begun(settingsOf(options), false, work),
    forMerchant(merchantId, work, options) {
      if (!/^mer_[0-9A-Za-z]{22}$/.test(merchantId)) throw new Error('not a merchant id');
      const settings = {
        role: 'recollect_api',
        'recollect.merchant_id': merchantId,
        ...actingAs(options?.actor),
      };
      return begun(settings, options?.onlyReads === true, work, merchantId);
    },
    read,
    snapshot: (work) =>
      tried(async (client) => {
        const isSpread = await topology.isCluster(client);
        return inTransaction(client, [BEGIN_SNAPSHOT], isSpread ? topology.confine(work) : work);
      }),
    isOnCluster: async () => topology.known ?? read(async ({ shards }) => shards !== undefined),
    listen: (channel, heard) => listen(url, channel, heard),
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    shortage: () => shortage,
    libraryPool() {
      libraryPool ??= openPool({
        connectionString: url,
        max: LIBRARY_CONNECTIONS,
        application_name: 'recollect library',
      });
      return libraryPool;
    },
    async close() {
      await Promise.all([pool.end(), libraryPool?.end()]);
    },
  };
}
