import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** Values for the named parameters of a statement (`:name` in the SQL, `name` here). */
export type Params = Record<string, SQLInputValue>;

/**
 * One SQLite file. Reads and writes are synchronous, so code between two `await`s is never interrupted by another request.
 * Booleans are integers 0 and 1; instants are text (see clock.ts).
 */
export interface Store {
  /** Runs one statement; returns the number of changed rows. */
  run(sql: string, params?: Params): number;
  /** Returns the first row, or undefined. */
  get<Row>(sql: string, params?: Params): Row | undefined;
  /** Returns all rows. */
  all<Row>(sql: string, params?: Params): Row[];
  /** Commits all changes of `work`, or none if it throws. `work` must be synchronous; nested transactions join the outer one. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens (or creates) `file` with a write-ahead log and applies `schema`, whose statements must be
 * repeatable (`CREATE TABLE IF NOT EXISTS …`). `:memory:` is accepted for tests.
 */
export function openStore(file: string, schema: string): Store {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
  db.exec('PRAGMA busy_timeout = 5000;');
  db.exec(schema);
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    run: (sql, params = {}) => Number(prepared(sql).run(params).changes),
    get: <Row>(sql: string, params: Params = {}) => prepared(sql).get(params) as Row | undefined,
    all: <Row>(sql: string, params: Params = {}) => prepared(sql).all(params) as Row[],
    transaction: (work) => inTransaction(db, work),
    close: () => db.close(),
  };
}

function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
