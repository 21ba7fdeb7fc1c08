import type pg from 'pg';
import { bind, type SqlValue, statementName } from './types.ts';

/** One transaction (or one read): the required first argument of everything that touches the database. */
export interface Tx {
  /** Runs a statement under its own name, so that each connection prepares it once. */
  rows<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]>;
  /** Returns the single row, or null. Throws if there are more. */
  row<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | null>;
  /** Returns the number of rows affected. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
}

/** Statements that may be sent together with BEGIN: they change nothing, even without a transaction. */
const READS = /^\s*SELECT\b/i;

/** A transaction, from its BEGIN to its end. */
interface Open {
  begun: Promise<unknown>;
  hasBegun: boolean;
  /** Statements that wait for BEGIN to be confirmed: none overtakes another. */
  waiting: number;
  isOver: boolean;
}

function mustWait(open: Open, sql: string): boolean {
  return open.waiting > 0 || !(open.hasBegun || READS.test(sql));
}

/** Sends a statement after the response to BEGIN. Waiting statements are sent in order, before any later one. */
async function sayInTurn<T>(open: Open, say: () => Promise<T>): Promise<T> {
  open.waiting++;
  try {
    await open.begun;
  } finally {
    open.waiting--;
  }
  return say();
}

/**
 * Sends statements without waiting for each other's results. PostgreSQL runs them in order, and none after one that failed.
 * Only a change waits until the transaction is known to have begun. Statements after the end of the transaction are rejected:
 * by then the connection may serve another one.
 */
function txOver(client: pg.PoolClient, open: Open): Tx {
  const say = (sql: string, values: readonly SqlValue[]): Promise<pg.QueryResult> => {
    if (open.isOver) return Promise.reject(new Error(`said after its transaction: ${sql}`));
    together(client);
    return client.query({ name: statementName(sql), text: sql, values: values.map(bind) });
  };
  const query = (sql: string, values: readonly SqlValue[]): Promise<pg.QueryResult> =>
    mustWait(open, sql) ? sayInTurn(open, () => say(sql, values)) : say(sql, values);
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

/**
 * Sends all statements of one turn of the event loop in one write: each write wakes PostgreSQL, which costs more than bytes.
 */
function together(client: pg.PoolClient): void {
  const { stream } = (client as pg.PoolClient & Pick<pg.Client, 'connection'>).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Sends BEGIN without waiting for the response. */
function start(client: pg.PoolClient, begin: string): Open {
  together(client);
  const open: Open = { begun: client.query(begin), hasBegun: false, waiting: 0, isOver: false };
  open.begun.then(
    () => {
      open.hasBegun = true;
    },
    () => undefined, // reported to those who await it
  );
  return open;
}

async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  // PostgreSQL responds with ROLLBACK, and no error, to a COMMIT after a failed statement.
  if (command === 'ROLLBACK')
    throw new Error('rolled back: a statement failed and its error was not passed on');
}

/** Runs statements without a transaction on a connection, then releases it. Throws what `work` throws. */
export async function inRead<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
  const open = { begun: Promise.resolve(), hasBegun: true, waiting: 0, isOver: false };
  try {
    return await workOn(client, open, work);
  } finally {
    client.release();
  }
}

/** Runs `work`; once it has returned or thrown, its remaining statements are rejected. */
async function workOn<T>(
  client: pg.PoolClient,
  open: Open,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await work(txOver(client, open));
  } finally {
    open.isOver = true;
  }
}

/**
 * Runs one transaction on a connection and always releases it. `begin`: BEGIN and the transaction's settings. Throws what
 * `work` throws, or why the transaction could not begin.
 */
export async function inTransaction<T>(
  client: pg.PoolClient,
  begin: string,
  work: (tx: Tx) => Promise<T>,
  onlyReads: boolean,
): Promise<T> {
  const open = start(client, begin);
  let result: T;
  try {
    result = await workOn(client, open, work);
    await open.begun;
    if (!onlyReads) await commit(client);
  } catch (error) {
    await giveBack(client, 'ROLLBACK');
    await open.begun;
    throw error;
  }
  if (onlyReads) void giveBack(client, 'COMMIT');
  else client.release();
  return result;
}

/** Ends the transaction and releases the connection; closes the connection if that fails. */
async function giveBack(client: pg.PoolClient, end: string): Promise<void> {
  try {
    await client.query(end);
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}
