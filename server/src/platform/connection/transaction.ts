import type pg from 'pg';
import { Batch, type Result, type Statement } from './batch.ts';
import { type Insertion, joinInsertions } from './joined.ts';
import { bind, type SqlValue, statementName } from './types.ts';

/** Splits items by the shard of their merchant; those without a merchant are a part of their own. */
export interface Splitting {
  split<T>(tx: Tx, items: readonly T[], merchantOf: (item: T) => string | null): Promise<T[][]>;
}

/** One transaction (or one read): the required first argument of everything that touches the database. */
export interface Tx {
  /** Runs a statement under its own name, so that each connection prepares it once. */
  rows<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R[]>;
  /** Returns the single row, or null. Throws if there are more. */
  row<R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | null>;
  /** Returns the number of rows affected. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
  /**
   * Inserts rows. Insertions that are said one after the other are one statement, so none of them may read what another inserts;
   * its keys may, which PostgreSQL checks at the end of the statement.
   */
  insert(sql: string, values?: readonly SqlValue[]): Promise<void>;
  /**
   * Takes over work whose result nobody needs, and whose statements have all been said: they go to PostgreSQL with the next ones,
   * with COMMIT at the latest. If the work fails, nothing that follows is done, and the transaction fails with its error.
   */
  unawaited(work: Promise<unknown>): void;
  /** Calls `then` when the transaction is committed; never if it is rolled back. Throws in a read: it commits nothing. */
  afterCommit(then: () => void): void;
  /** Which merchants lie together, where the tables are spread over a cluster; absent: on a single PostgreSQL. */
  readonly shards?: Splitting;
}

/** A statement that begins a transaction, or sets what holds in it. */
export interface Setting {
  sql: string;
  values?: readonly SqlValue[];
  /** Its text is hardly ever the same: no connection keeps it. */
  isOnce?: boolean;
}

/** Work on a connection, from its first statement to its end. */
interface Open {
  client: pg.PoolClient;
  /** Sent before the statements of the next batch. */
  before: readonly Setting[];
  /** Whether every batch is a transaction of its own, with the same settings. */
  isReading: boolean;
  /** For the next batch. */
  waiting: Statement[];
  isSending: boolean;
  hasSent: boolean;
  isOver: boolean;
  /** Why the transaction could not begin, or cannot be committed: no further statement is sent. */
  failure: Error | null;
  /** Called after the commit. */
  onCommit: (() => void)[];
}

function open(client: pg.PoolClient, before: readonly Setting[], isReading: boolean): Open {
  return {
    client,
    before,
    isReading,
    waiting: [],
    isSending: false,
    hasSent: false,
    isOver: false,
    failure: null,
    onCommit: [],
  };
}

/**
 * Sends the statements of one turn of the event loop together. Only one batch is under way: statements that come meanwhile
 * wait for its end, so that none runs outside a transaction that could not begin.
 */
function enqueue(
  open: Open,
  sql: string,
  values: readonly SqlValue[] = [],
  kind: Partial<Insertion> = {},
): Promise<Result> {
  if (open.isOver) return Promise.reject(afterEnd(sql));
  return new Promise((done, failed) => {
    const name = statementName(sql);
    open.waiting.push({ name, text: sql, values: values.map(bind), done, failed, ...kind });
    if (open.isSending) return;
    open.isSending = true;
    process.nextTick(sendWaiting, open);
  });
}

function sendWaiting(open: Open): void {
  const statements = open.waiting;
  open.waiting = [];
  open.isSending = false;
  if (open.failure !== null) rejectAll(statements, open.failure);
  else if (statements.length > 0) send(open, statements);
}

function send(open: Open, statements: readonly Statement[]): void {
  const before = open.before.map((setting) => asStatement(open, setting));
  if (!open.isReading) open.before = [];
  open.isSending = true;
  open.hasSent = true;
  open.client.query(
    new Batch([...before, ...joinInsertions(statements, statementName)], () => sendWaiting(open)),
  );
}

function rejectAll(statements: readonly Statement[], error: Error): void {
  for (const { failed } of statements) failed(error);
}

function asStatement(open: Open, { sql, values = [], isOnce }: Setting): Statement {
  return {
    name: isOnce === true ? '' : statementName(sql),
    text: sql,
    values: values.map(bind),
    done: () => undefined,
    failed: (error) => {
      open.failure = error;
    },
  };
}

/** Rejects every later statement, and those not sent yet: by then the connection may serve another transaction. */
function end(open: Open): void {
  open.isOver = true;
  for (const { text, failed } of open.waiting) failed(afterEnd(text));
  open.waiting = [];
}

class StatementAfterEnd extends Error {}

const afterEnd = (sql: string): Error =>
  new StatementAfterEnd(`said after its transaction: ${sql}`);

const INSERTION: Partial<Insertion> = { isInsertion: true };

function makeTx(open: Open): Tx {
  const query = async (
    sql: string,
    values?: readonly SqlValue[],
    kind?: Partial<Insertion>,
  ): Promise<Result> => {
    try {
      return await enqueue(open, sql, values, kind);
    } catch (error) {
      if (error instanceof Error) Error.captureStackTrace(error, query); // the caller's, not the socket's
      throw error;
    }
  };
  return {
    rows: async <R extends object>(sql: string, values?: readonly SqlValue[]) =>
      (await query(sql, values)).rows as R[],
    row: async <R extends object>(sql: string, values?: readonly SqlValue[]) => {
      const { rows } = await query(sql, values);
      if (rows.length > 1) throw new Error(`expected one row, got ${rows.length}`);
      return (rows[0] ?? null) as R | null;
    },
    run: async (sql, values) => (await query(sql, values)).count,
    insert: async (sql, values) => void (await query(sql, values, INSERTION)),
    unawaited: (work) => {
      work.catch((error: unknown) => {
        if (error instanceof StatementAfterEnd) return; // not sent: the transaction has ended for another reason
        open.failure ??= error instanceof Error ? error : new Error(String(error));
      });
    },
    afterCommit: (then) => {
      if (open.isReading) throw new Error('a read commits nothing');
      open.onCommit.push(then);
    },
  };
}

async function commit(open: Open): Promise<void> {
  if (!open.hasSent && open.waiting.length === 0) return;
  const { command } = await enqueue(open, 'COMMIT');
  // PostgreSQL responds with ROLLBACK, and no error, to a COMMIT after a failed statement.
  if (command === 'ROLLBACK')
    throw new Error('rolled back: a statement failed and its error was not passed on');
}

/**
 * Runs reads on a connection, then releases it. `settings` hold for each of them. Throws what `work` throws. Each turn's reads
 * are one transaction, which PostgreSQL itself begins and ends: they take one round trip.
 */
export async function inReads<T>(
  client: pg.PoolClient,
  settings: readonly Setting[],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const reading = open(client, settings, true);
  try {
    return await work(makeTx(reading));
  } finally {
    end(reading);
    client.release();
  }
}

/**
 * Runs one transaction on a connection and always releases it. `begin`: BEGIN and the transaction's settings, sent with its first
 * statements. Throws what `work` throws, or why the transaction could not begin.
 */
export async function inTransaction<T>(
  client: pg.PoolClient,
  begin: readonly Setting[],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const transaction = open(client, begin, false);
  try {
    const result = await work(makeTx(transaction));
    await commit(transaction);
    end(transaction);
    client.release();
    for (const then of transaction.onCommit) then();
    return result;
  } catch (error) {
    end(transaction);
    await rollBack(transaction);
    throw transaction.failure ?? error;
  }
}

/** Ends the transaction and releases the connection; closes the connection if that fails. */
async function rollBack({ client, hasSent }: Open): Promise<void> {
  try {
    if (hasSent) await client.query('ROLLBACK');
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}
