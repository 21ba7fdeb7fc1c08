import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { rowsRead } from '../../../test-support/rows-read.ts';
import { type Db, openDb, type Tx } from '../../platform/db/db.ts';
import { countDeliveries, countDuePayments, countUnknownPayments } from './books-store.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');
const BANKS = ['backlog', 'quiet', 'unused'];
/** More than is counted of any queue. */
const MANY = 12_000;

let database: TestDatabase;
let db: Db;

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 3);
  await asOwner(db, seed);
});
after(async () => {
  await db.close();
  await database.drop();
});

const WORK =
  'INSERT INTO payment_work (merchant_id, payment_id, stage, bank_id, wallet_id, due_at, attempt)';
const ATTEMPT = `INSERT INTO attempts (merchant_id, payment_id, number, manual, status, sent_at, started_at)`;

/** Queues without the payments, endpoints and events that they belong to. */
async function seed(tx: Tx): Promise<void> {
  for (const [table, key] of [
    ['payment_work', 'payment_work_of_payment'],
    ['attempts', 'attempts_of_payment'],
    ['deliveries', 'deliveries_of_event'],
    ['deliveries', 'deliveries_to_endpoint'],
  ])
    await tx.run(`ALTER TABLE ${table} DROP CONSTRAINT ${key}`);
  const minutes = (n: string): string => `'${NOW}'::timestamptz + ${n} * interval '1 minute'`;
  // A long queue of payments that were opened an hour ago.
  await tx.run(
    `${WORK} SELECT 'm', 'wait' || n, 'wait', 'backlog', 'w', ${minutes('-60')} + n * interval '1 millisecond', 0
     FROM generate_series(1, ${MANY}) n`,
  );
  // Orders without an answer, to be asked about again; one whose call is under way; one that was never sent.
  const asked: [id: string, bank: string, sentMinutesAgo: number | null][] = [
    ['old', 'backlog', 120],
    ['new', 'backlog', 2],
    ['under-way', 'backlog', 0],
    ['unsent', 'backlog', null],
    ['other', 'quiet', 30],
  ];
  for (const [id, bank, ago] of asked) {
    await tx.run(`${WORK} VALUES ('m', $1, 'submit', $2, 'w', ${minutes('20')}, 1)`, [id, bank]);
    const sent = ago === null ? null : NOW.subtract({ minutes: ago });
    await tx.run(`${ATTEMPT} VALUES ('m', $1, 1, false, 'started', $2, $3)`, [id, sent, NOW]);
  }
  await tx.run(`${WORK} VALUES ('m', 'tracked', 'track', 'quiet', 'w', ${minutes('-3')}, 1)`);
  await tx.run(
    `INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, due_at, created_at)
     SELECT 'm', 'due' || n, 'due' || n, 'e', 'pending', ${minutes('-1')}, ${minutes('0')} FROM generate_series(1, ${MANY}) n
     UNION ALL SELECT 'm', 'retry' || n, 'retry' || n, 'e', 'pending', ${minutes('30')}, ${minutes('0')}
     FROM generate_series(1, 7) n`,
  );
  await tx.run('ANALYZE');
}

/** Returns what a read found, and how many rows it read. */
function reading<T>(read: (tx: Tx) => Promise<T>): Promise<{ found: T; rows: number }> {
  return db.transaction(async (tx) => {
    const earlier = await rowsRead(tx);
    const found = await read(tx);
    return { found, rows: (await rowsRead(tx)) - earlier };
  });
}

test('due payments are counted by bank and step, and no further than ten thousand', async () => {
  const { found, rows } = await reading((tx) => countDuePayments(tx, NOW, BANKS));
  const of = (bank: string, step: string) =>
    found.find((one) => one.bank === bank && one.step === step);
  assert.equal(found.length, 6);
  assert.equal(of('backlog', 'submit')?.count, 10_000);
  const since = of('backlog', 'submit')?.oldest?.until(NOW).total('seconds') ?? 0;
  assert.ok(since > 3_599 && since < 3_600, String(since));
  assert.deepEqual([of('quiet', 'submit')?.count, of('quiet', 'submit')?.oldest], [0, null]);
  assert.equal(of('quiet', 'track')?.count, 1);
  assert.equal(of('unused', 'track')?.count, 0);
  assert.ok(rows <= 10_100, `${rows} rows`);
});

test('unknown outcomes are found behind a long queue, and it is not read to its end', async () => {
  const { found, rows } = await reading((tx) => countUnknownPayments(tx, NOW, BANKS));
  const of = (bank: string) => found.find((one) => one.bank === bank);
  assert.equal(of('backlog')?.count, 2);
  assert.equal(of('backlog')?.oldest?.until(NOW).total('minutes'), 120);
  assert.equal(of('quiet')?.count, 1);
  assert.deepEqual([of('unused')?.count, of('unused')?.oldest], [0, null]);
  assert.ok(rows <= 5_100, `${rows} rows`);
});

test('deliveries that are due are told from those that wait for their next try', async () => {
  const { found, rows } = await reading((tx) => countDeliveries(tx, NOW));
  assert.deepEqual(found, [
    { state: 'due', count: 10_000 },
    { state: 'retry', count: 7 },
  ]);
  assert.ok(rows <= 10_100, `${rows} rows`);
});
