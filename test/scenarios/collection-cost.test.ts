import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantEngine, seedDue } from '../../bench/stand/instant-service.ts';
import { type Db, openDb, type Tx } from '../../server/src/platform/db/db.ts';
import { productDatabase } from '../../server/test-support/database.ts';

const DUE = 500;

/** Rows that PostgreSQL wrote. A full update writes into every index of the table, a HOT one into none. */
interface Rows {
  inserted: number;
  hot: number;
  full: number;
  deleted: number;
}

interface Cost extends Rows {
  walRecords: number;
  transactions: number;
  /** Sent to PostgreSQL, without those that begin and end a transaction. */
  statements: number;
}

/**
 * The most that one collection may cost: what it does cost, with 3 % more for rows and 15 % more for the WAL. How many updates
 * are HOT depends on how full the pages are; the numbers of transactions and statements depend on how many rows arrive together.
 */
const MAX: Omit<Cost, 'hot'> & { updated: number } = {
  inserted: 13 * 1.03,
  updated: 11.1 * 1.03,
  full: 5.9,
  deleted: 1.03,
  walRecords: 90 * 1.15,
  transactions: 1.5,
  statements: 1.5,
};
/** The least part of all updates that must be HOT. */
const MIN_HOT = 0.4;

type Read = Pick<Cost, 'walRecords' | 'transactions'> & { tables: ReadonlyMap<string, Rows> };

/** Returns the same database, and how many statements were sent to it so far. */
function countingStatements(db: Db): { counted: Db; sent: () => number } {
  let sent = 0;
  const over = (tx: Tx): Tx => ({
    ...tx,
    rows: (...statement) => tx.rows(...note(statement)),
    row: (...statement) => tx.row(...note(statement)),
    run: (...statement) => tx.run(...note(statement)),
    insert: (...statement) => tx.insert(...note(statement)),
    unawaited: (work) => tx.unawaited(work),
  });
  const note = <T>(statement: T): T => {
    sent++;
    return statement;
  };
  const counted: Db = {
    ...db,
    transaction: (work, options) => db.transaction((tx) => work(over(tx)), options),
    forMerchant: (id, work, options) => db.forMerchant(id, (tx) => work(over(tx)), options),
    read: (work) => db.read((tx) => work(over(tx))),
  };
  return { counted, sent: () => sent };
}

/** Reads the statistics of the database, and the WAL of this connection, which reports what it has counted first. */
async function readStatistics(tx: Tx): Promise<Read> {
  await tx.run('SELECT pg_stat_force_next_flush()');
  const rows = await tx.rows<Rows & { name: string }>(
    `SELECT relname AS name, n_tup_ins AS inserted, n_tup_hot_upd AS hot, n_tup_upd - n_tup_hot_upd AS full, n_tup_del AS deleted
     FROM pg_stat_user_tables ORDER BY relname`,
  );
  const whole = await tx.row<Omit<Read, 'tables'>>(
    `SELECT w.wal_records AS wal_records, d.xact_commit AS transactions
     FROM pg_stat_get_backend_wal(pg_backend_pid()) w, pg_stat_database d WHERE d.datname = current_database()`,
  );
  assert.ok(whole);
  return { ...whole, tables: new Map(rows.map(({ name, ...counts }) => [name, counts])) };
}

const NONE: Rows = { inserted: 0, hot: 0, full: 0, deleted: 0 };

/** Returns what one of the collections cost, in all and per table. */
function costOfOne(
  before: Read,
  after: Read,
  sent: number,
): { cost: Cost; tables: Map<string, Rows> } {
  const tables = new Map<string, Rows>();
  const sum = { ...NONE };
  for (const [name, then] of after.tables) {
    const was = before.tables.get(name) ?? NONE;
    const rows = { ...NONE };
    for (const column of ['inserted', 'hot', 'full', 'deleted'] as const) {
      rows[column] = (then[column] - was[column]) / DUE;
      sum[column] += rows[column];
    }
    tables.set(name, rows);
  }
  const walRecords = (after.walRecords - before.walRecords) / DUE;
  const transactions = (after.transactions - before.transactions) / DUE;
  return { cost: { ...sum, walRecords, transactions, statements: sent / DUE }, tables };
}

const inWords = (counts: object): string =>
  Object.entries(counts)
    .map(([what, count]) => `${Number(count).toFixed(2)} ${what}`)
    .join(', ');

/** Collects from every schedule over one connection, so that its statistics are those of the whole engine. */
async function measure(): Promise<ReturnType<typeof costOfOne>> {
  const database = await productDatabase();
  const db = openDb(database.url, 1);
  try {
    await seedDue(database.url, DUE);
    const before = await db.read(readStatistics);
    const { counted, sent } = countingStatements(db);
    await instantEngine(counted).drain();
    const after = await db.read(readStatistics);
    const told = await db.read((tx) =>
      tx.row<{ n: number }>(`SELECT count(*) AS n FROM deliveries WHERE status = 'delivered'`),
    );
    assert.equal(told?.n, DUE, 'all were collected, and their events delivered');
    return costOfOne(before, after, sent());
  } finally {
    await db.close();
    await database.drop();
  }
}

const MAX_TRIES = 3;

/**
 * Measures once more where an update that could be HOT was not: a transaction of another test that stays open, in whatever
 * database of the server, keeps PostgreSQL from making room on pages.
 */
async function measureUndisturbed(): ReturnType<typeof measure> {
  for (let tries = 1; ; tries++) {
    const measured = await measure();
    if (measured.cost.full <= MAX.full || tries === MAX_TRIES) return measured;
  }
}

test('a collection takes no more statements, rows and WAL records than it needs', async (t) => {
  const { cost, tables } = await measureUndisturbed();
  const counted = { ...cost, updated: cost.hot + cost.full };
  const written = [...tables]
    .filter(([, rows]) => Object.values(rows).some((count) => count > 0.01))
    .map(([name, rows]) => `${name}: ${inWords(rows)}`);
  const table = [inWords(counted), ...written].join('\n');
  t.diagnostic(table);
  for (const what of [
    'inserted',
    'updated',
    'full',
    'deleted',
    'walRecords',
    'transactions',
    'statements',
  ] as const)
    assert.ok(counted[what] <= MAX[what], `${what}: at most ${MAX[what]} expected\n${table}`);
  const hotShare = cost.hot / counted.updated;
  assert.ok(hotShare >= MIN_HOT, `HOT: at least ${MIN_HOT} of the updates expected\n${table}`);
  assert.ok(cost.inserted >= 10 && cost.walRecords >= 50, `it was counted\n${table}`);
});
