import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db, SqlValue, Tx } from '../server/src/platform/db/db.ts';

/** A database that tells when nobody asks anything of it any more. */
export interface QuietDb extends Db {
  /** Settles when whatever was under way has come to its end, or waits for something else than the database. */
  quiet(): Promise<void>;
}

/** Whoever goes on after an answer has asked for the next transaction within so many turns of the event loop. */
const QUIET_TURNS = 3;
/** The column, a time, that is all that a statement orders by, or the first of two of which it takes the later. */
const BY_TIME_ALONE = /ORDER BY (?:greatest\()?(?:\w+[.])?(\w+_at)(?:, \w+\))?(?: DESC)? LIMIT/i;
const SEALED = /^v1[.]k1[.]/;

/**
 * A database that does one transaction after the other, in the order in which they were asked for. Between them everything
 * interleaves as it does in production; but which goes first is decided by the program and no longer by the operating system,
 * so that the same seed has the same history.
 */
export function oneAtATime(db: Db): QuietDb {
  const inside = new AsyncLocalStorage<boolean>();
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (inside.getStore() === true) throw new Error('a transaction asks for another one');
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  const within =
    <T>(work: (tx: Tx) => Promise<T>) =>
    (tx: Tx): Promise<T> =>
      inside.run(true, work, inOrder(tx));
  return {
    ...db,
    transaction: (work) => inTurn(() => db.transaction(within(work))),
    forMerchant: (id, work) => inTurn(() => db.forMerchant(id, within(work))),
    read: (work) => inTurn(() => db.read(within(work))),
    snapshot: (work) => inTurn(() => db.snapshot(within(work))),
    quiet: () => untilQuiet(() => last),
  };
}

/** Waits until no transaction has been asked for, beyond `last`, for some turns of the event loop. */
async function untilQuiet(last: () => Promise<unknown>): Promise<void> {
  let seen = last();
  for (let turns = 0; turns < QUIET_TURNS; ) {
    await seen;
    await nextTurn();
    turns = last() === seen ? turns + 1 : 0;
    seen = last();
  }
}

/** Rows for which the statement names no order come in that of their texts: PostgreSQL's own depends on where they lie. */
function inOrder(tx: Tx): Tx {
  return {
    ...tx,
    rows: async <R extends object>(sql: string, values?: readonly SqlValue[]) =>
      ordered(sql, await tx.rows<R>(sql, values)),
  };
}

/** What a statement changed comes in no order, even where a query inside it has one. */
function ordered<R extends object>(sql: string, rows: readonly R[]): R[] {
  if (!/ORDER BY/i.test(sql) || /\bRETURNING\b/i.test(sql)) return sorted(rows, () => '');
  const column = BY_TIME_ALONE.exec(sql)?.[1];
  if (column === undefined) return [...rows];
  return sorted(rows, (row) => String((row as Record<string, unknown>)[column]));
}

/** Those of one group, which stay where the first of them is, by their texts. */
function sorted<R extends object>(rows: readonly R[], groupOf: (row: R) => string): R[] {
  if (rows.length < 2) return [...rows];
  const groups = Map.groupBy(rows, groupOf);
  return [...groups.values()].flatMap((group) =>
    group
      .map((row) => ({ row, text: textOf(row) }))
      .sort((a, b) => (a.text < b.text ? -1 : 1))
      .map(({ row }) => row),
  );
}

/** What is sealed is sealed again each time. */
function textOf(row: object): string {
  return JSON.stringify(row, (_name, value: unknown) =>
    typeof value === 'string' && SEALED.test(value) ? '' : value,
  );
}
