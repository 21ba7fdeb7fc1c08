import { createHash } from 'node:crypto';
import pg from 'pg';

/** What a statement may carry. Instants and dates are bound as ISO text; arrays feed `unnest`. */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | Buffer
  | Temporal.Instant
  | Temporal.PlainDate
  | SqlValue[]
  | ReadonlyArray<SqlValue>;

/** One transaction (or one read): the required first argument of everything that touches the database. */
export interface Tx {
  /** Runs a statement under a name of its own, so that it is prepared once per connection. */
  rows<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]>;
  /** The single row, or null. Throws when there are more. */
  row<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | null>;
  /** How many rows the statement touched. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
}

export interface Db {
  /**
   * One transaction of the engine's: sees every merchant. Deadlocks and serialisation failures are tried
   * again. Throws where a statement failed and `work` did not pass its error on.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * One transaction that row-level security confines to this merchant. `onlyReads`: what was read is answered without
   * waiting for the end of the transaction, which can change nothing any more.
   */
  forMerchant<T>(
    merchantId: string,
    work: (tx: Tx) => Promise<T>,
    options?: { onlyReads: boolean },
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
const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;

const types = new Map<number, (text: string) => unknown>([
  [INT8, parseInteger],
  [DATE, (text) => Temporal.PlainDate.from(text)],
  [TIMESTAMPTZ, (text) => Temporal.Instant.from(text.replace(' ', 'T'))],
]);

function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond 2^53-1`);
  return value;
}

const parsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const own = types.get(oid);
    if (own !== undefined && format !== 'binary') return own;
    return format === 'binary'
      ? pg.types.getTypeParser(oid, 'binary')
      : pg.types.getTypeParser(oid);
  },
} as pg.CustomTypesConfig;

const names = new Map<string, string>();

function nameOf(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = createHash('sha1').update(sql).digest('base64url');
    names.set(sql, name);
  }
  return name;
}

function bind(value: SqlValue): unknown {
  if (value instanceof Temporal.Instant || value instanceof Temporal.PlainDate)
    return value.toString();
  if (Array.isArray(value)) return value.map(bind);
  return value;
}

/** What a transaction may say in one breath with its BEGIN: it changes nothing, even where there was none. */
const READS = /^\s*SELECT\b/i;

/** A transaction's BEGIN, on its way. */
interface Begun {
  answer: Promise<unknown>;
  isAnswered: boolean;
  /** Statements that wait for the answer: none overtakes another. */
  waiting: number;
}

function mustWait(begun: Begun, sql: string): boolean {
  return begun.waiting > 0 || !(begun.isAnswered || READS.test(sql));
}

async function whenBegun(begun: Begun): Promise<void> {
  begun.waiting++;
  try {
    await begun.answer;
  } finally {
    begun.waiting--;
  }
}

/**
 * Statements are written one behind the other, without waiting for each other's answers; PostgreSQL does them in that order,
 * and none after one that failed. Only a change waits until it is known that a transaction has begun.
 */
function txOver(client: pg.PoolClient, begun?: Begun): Tx {
  const query = async (sql: string, values: readonly SqlValue[]) => {
    if (begun !== undefined && mustWait(begun, sql)) await whenBegun(begun);
    together(client);
    return client.query({ name: nameOf(sql), text: sql, values: values.map(bind) });
  };
  return {
    rows: async <R extends object>(sql: string, values: readonly SqlValue[] = []) =>
      (await query(sql, values)).rows as R[],
    row: async <R extends object>(sql: string, values: readonly SqlValue[] = []) => {
      const { rows } = await query(sql, values);
      if (rows.length > 1) throw new Error(`expected one row, got ${rows.length}`);
      return (rows[0] ?? null) as R | null;
    },
    run: async (sql, values = []) => (await query(sql, values)).rowCount ?? 0,
  };
}

/** What is said in this turn of the event loop goes out in one write: each one wakes PostgreSQL, which costs more than bytes. */
function together(client: pg.PoolClient): void {
  const { stream } = (client as pg.PoolClient & Pick<pg.Client, 'connection'>).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Begins without waiting for the answer. */
function start(client: pg.PoolClient, begin: string): Begun {
  together(client);
  const begun: Begun = { answer: client.query(begin), isAnswered: false, waiting: 0 };
  begun.answer.then(
    () => {
      begun.isAnswered = true;
    },
    () => undefined, // whoever waits for it learns it
  );
  return begun;
}

async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  // The answer, without an error, to a COMMIT of a transaction in which a statement has failed.
  if (command === 'ROLLBACK')
    throw new Error('rolled back: a statement failed and its error was not passed on');
}

/** One transaction over a connection, which is given back whatever happens. */
async function once<T>(
  client: pg.PoolClient,
  begin: string,
  work: (tx: Tx) => Promise<T>,
  onlyReads: boolean,
): Promise<T> {
  let result: T;
  try {
    const begun = start(client, begin);
    result = await work(txOver(client, begun));
    await begun.answer;
    if (!onlyReads) await commit(client);
  } catch (error) {
    await giveBack(client, 'ROLLBACK');
    throw error;
  }
  if (onlyReads) void giveBack(client, 'COMMIT');
  else client.release();
  return result;
}

/** Ends the transaction, and gives the connection back; one that cannot even do that is closed. */
async function giveBack(client: pg.PoolClient, end: string): Promise<void> {
  try {
    await client.query(end);
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}

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
    // What is under way on a broken connection fails by itself; without a listener the process would end.
    client.on('error', () => undefined);
    client.query(SESSION).catch(() => undefined);
  });
  return pool;
}

/**
 * Transactions go to their rows by key, hundreds at once: each join is a loop over an index. What the planner knows of a queue
 * is always out of date (on the first of the month a table where nothing was due holds a hundred thousand rows that are), and
 * a plan that reads the whole queue for each batch makes its cost grow with the square of its length.
 */
const BEGIN = `BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
  SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off`;

/** A pool over a PostgreSQL 15 or newer. `max` connections; idle ones stay open. */
export function openDb(url: string, max = 20): Db {
  const pool = openPool({
    connectionString: url,
    max,
    types: parsers,
    application_name: 'recollect',
  });
  let libraryPool: pg.Pool | undefined;

  const inTransaction = async <T>(
    begin: string,
    work: (tx: Tx) => Promise<T>,
    onlyReads = false,
  ): Promise<T> => {
    for (let tries = 1; ; tries++)
      try {
        return await once(await pool.connect(), begin, work, onlyReads);
      } catch (error) {
        if (tries >= MAX_TRIES || !isWorthAnotherTry(error)) throw error;
      }
  };

  return {
    transaction: (work) => inTransaction(BEGIN, work),
    forMerchant(merchantId, work, options) {
      if (!/^mer_[0-9A-Za-z]{22}$/.test(merchantId)) throw new Error('not a merchant id');
      return inTransaction(
        `BEGIN; SET LOCAL ROLE recollect_api; SET LOCAL recollect.merchant_id = '${merchantId}'`,
        work,
        options?.onlyReads,
      );
    },
    async read(work) {
      const client = await pool.connect();
      try {
        return await work(txOver(client));
      } finally {
        client.release();
      }
    },
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

const LISTEN_AGAIN_MS = 1000;

/** Notifications are a hint that saves waiting: a lost connection is made anew, and nothing else is lost. */
async function listen(
  url: string,
  channel: string,
  heard: (payload: string) => void,
): Promise<() => Promise<void>> {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const connect = async (): Promise<void> => {
    client = new pg.Client({ connectionString: url, application_name: 'recollect listener' });
    client.on('notification', (message) => heard(message.payload ?? ''));
    client.on('error', again);
    client.on('end', again);
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
  };
  function again(): void {
    if (stopped || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      connect().catch(again);
    }, LISTEN_AGAIN_MS);
  }
  await connect();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await client?.end().catch(() => undefined);
  };
}

/** SQLSTATEs that say "not now" and not "never": worth another try by the caller. */
const UNAVAILABLE = /^(08|53|57P0|40|57014|55P03|25006)/;
const CONNECTION_ERRORS = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** What pg says itself of a connection that is gone, was never made, or was lost between two statements. */
const NO_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client .* is not queryable)/;

/** Whether an error says that the database cannot be asked just now: nothing was done, or it is not known. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  if (error instanceof AggregateError) return error.errors.some(isUnavailable); // one for each address of a host
  if ('code' in error && CONNECTION_ERRORS.has(String(error.code))) return 'syscall' in error;
  return NO_CONNECTION.test(error.message);
}
