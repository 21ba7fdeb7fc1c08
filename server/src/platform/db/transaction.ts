import type pg from 'pg';
import { bind, type SqlValue, statementName } from './types.ts';

/** One transaction (or one read): the required first argument of everything that touches the database. */
export interface Tx {
  /** Runs a statement under a name of its own, so that it is prepared once per connection. */
  rows<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]>;
  /** The single row, or null. Throws when there are more. */
  row<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | null>;
  /** How many rows the statement touched. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
}

/** What a transaction may say in one breath with its BEGIN: it changes nothing, even where there was none. */
const READS = /^\s*SELECT\b/i;

/** A transaction, from its BEGIN on the way to its end. */
interface Open {
  begun: Promise<unknown>;
  hasBegun: boolean;
  /** Statements that wait until it has begun: none overtakes another. */
  waiting: number;
  isOver: boolean;
}

function mustWait(open: Open, sql: string): boolean {
  return open.waiting > 0 || !(open.hasBegun || READS.test(sql));
}

/** Waits for the answer to BEGIN; whoever awaits this goes on at once, before anything that comes later. */
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
 * Statements are written one behind the other, without waiting for each other's answers; PostgreSQL does them in that order,
 * and none after one that failed. Only a change waits until it is known that a transaction has begun. What is said after the
 * end of the transaction is refused: the connection is somebody else's by then.
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

/** What is said in this turn of the event loop goes out in one write: each one wakes PostgreSQL, which costs more than bytes. */
function together(client: pg.PoolClient): void {
  const { stream } = (client as pg.PoolClient & Pick<pg.Client, 'connection'>).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Begins without waiting for the answer. */
function start(client: pg.PoolClient, begin: string): Open {
  together(client);
  const open: Open = { begun: client.query(begin), hasBegun: false, waiting: 0, isOver: false };
  open.begun.then(
    () => {
      open.hasBegun = true;
    },
    () => undefined, // whoever waits for it learns it
  );
  return open;
}

async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  // The answer, without an error, to a COMMIT of a transaction in which a statement has failed.
  if (command === 'ROLLBACK')
    throw new Error('rolled back: a statement failed and its error was not passed on');
}

/** Statements without a transaction of their own, over a connection that is given back. Throws what `work` throws. */
export async function inRead<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
  const open = { begun: Promise.resolve(), hasBegun: true, waiting: 0, isOver: false };
  try {
    return await workOn(client, open, work);
  } finally {
    client.release();
  }
}

/** Whatever of it goes on when it has answered or failed says nothing any more. */
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
 * One transaction over a connection, which is given back whatever happens. `begin`: BEGIN, and what holds in the transaction.
 * Throws what `work` throws; where the transaction could not begin, why.
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

/** Ends the transaction, and gives the connection back; one that cannot even do that is closed. */
async function giveBack(client: pg.PoolClient, end: string): Promise<void> {
  try {
    await client.query(end);
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}
