import pg from 'pg';
import { listen } from './db/listener.ts';
import { inRead, inTransaction, type Tx } from './db/transaction.ts';
import { parsers } from './db/types.ts';

export type { Tx } from './db/transaction.ts';
export type { SqlValue } from './db/types.ts';

export interface Db {
  /**
   * One transaction of the engine's: sees every merchant. Deadlocks and serialisation failures are tried
   * again. Throws where a statement failed and `work` did not pass its error on. `onlyLooks`: it looks what is first in
   * queues, by an index or not at all, and changes nothing. `actor`: who makes its changes; absent: the service.
   */
  transaction<T>(
    work: (tx: Tx) => Promise<T>,
    options?: { onlyLooks?: boolean; actor?: string },
  ): Promise<T>;
  /**
   * One transaction that row-level security confines to this merchant. `onlyReads`: what was read is answered without
   * waiting for the end of the transaction, which can change nothing any more. `actor`: as above.
   */
  forMerchant<T>(
    merchantId: string,
    work: (tx: Tx) => Promise<T>,
    options?: { onlyReads?: boolean; actor?: string },
  ): Promise<T>;
  /** Statements without a transaction of their own. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Calls `heard` whenever somebody notifies the channel; answers a function that stops it. */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>;
  /** A pool with pg's ordinary types, opened when first asked for: for libraries that speak SQL themselves. */
  libraryPool(): pg.Pool;
  close(): Promise<void>;
}

/**
 * The form in which instants and dates are read, whatever the server or the role prefers; and an end to waiting for what
 * somebody else holds, and to a statement that has none.
 */
const SESSION =
  "SET DateStyle = 'ISO'; SET TimeZone = 'UTC'; SET lock_timeout = '15s'; SET statement_timeout = '5min'; " +
  "SET idle_in_transaction_session_timeout = '60s'";
/** How long a connection is waited for, a new one or one that others use. */
const CONNECT_MS = 10_000;
const MAX_TRIES = 5;
const LIBRARY_CONNECTIONS = 2;
const TRY_AGAIN = new Set(['40001', '40P01']);

function isWorthAnotherTry(error: unknown): boolean {
  return error instanceof pg.DatabaseError && TRY_AGAIN.has(error.code ?? '');
}

/** A pool whose connections read instants and dates in one form, and may break without ending the process. */
function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    pipeline: true,
    ...config,
  });
  pool.on('error', () => undefined); // an idle connection that breaks is replaced by the next call
  pool.on('connect', (client) => {
    // What is under way on a broken connection fails on its own; without a listener the process would end.
    client.on('error', () => undefined);
    client.query(SESSION).catch(() => undefined);
  });
  return pool;
}

/** Rows are found by key, whatever the planner knows of a queue. See docs/decisions/0020-what-the-planner-is-not-told.md. */
const BEGIN = `BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
  SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_incremental_sort = off`;

/** The first entry of a queue is read from an index, never found by sorting. */
const LOOK = `${BEGIN}; SET LOCAL enable_sort = off`;

/** Names who acts, in the statement that begins the transaction: it costs no round trip of its own. */
function actingAs(begin: string, actor: string | undefined): string {
  if (actor === undefined) return begin;
  return `${begin}; SET LOCAL recollect.actor = ${pg.escapeLiteral(actor)}`;
}

/** The same database for somebody: every transaction names them as the actor of its changes. */
export function asActor(db: Db, actor: string): Db {
  return {
    ...db,
    transaction: (work, options) => db.transaction(work, { actor, ...options }),
    forMerchant: (id, work, options) => db.forMerchant(id, work, { actor, ...options }),
  };
}

/** A pool over a PostgreSQL 15 or newer. `max` connections; idle ones stay open. */
export function openDb(url: string, max = 20): Db {
  const pool = openPool({
    connectionString: url,
    max,
    types: parsers,
    application_name: 'recollect',
  });
  let libraryPool: pg.Pool | undefined;

  const tried = async <T>(
    begin: string,
    work: (tx: Tx) => Promise<T>,
    onlyReads = false,
  ): Promise<T> => {
    for (let tries = 1; ; tries++)
      try {
        return await inTransaction(await pool.connect(), begin, work, onlyReads);
      } catch (error) {
        if (tries >= MAX_TRIES || !isWorthAnotherTry(error)) throw error;
      }
  };

  return {
    transaction: (work, options) =>
      options?.onlyLooks === true
        ? tried(LOOK, work, true)
        : tried(actingAs(BEGIN, options?.actor), work),
    forMerchant(merchantId, work, options) {
      if (!/^mer_[0-9A-Za-z]{22}$/.test(merchantId)) throw new Error('not a merchant id');
      const begin = `BEGIN; SET LOCAL ROLE recollect_api; SET LOCAL recollect.merchant_id = '${merchantId}'`;
      return tried(actingAs(begin, options?.actor), work, options?.onlyReads);
    },
    read: async (work) => inRead(await pool.connect(), work),
    listen: (channel, heard) => listen(url, channel, heard),
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
