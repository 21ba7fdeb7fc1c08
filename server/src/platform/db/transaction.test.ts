import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { type Db, openDb, type Tx } from '../db.ts';
import { bareMerchant, testPlatform } from '../http/test-platform.ts';
import { inTransaction } from './transaction.ts';

let database: TestDatabase;
let db: Db;
let merchants: string[];

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 4);
  const platform = { ...testPlatform(database.url), db };
  merchants = [await bareMerchant(platform), await bareMerchant(platform)];
  await db.transaction((tx) => tx.run('CREATE TABLE boxes (n int PRIMARY KEY, v int NOT NULL)'));
  await db.transaction((tx) => tx.run('INSERT INTO boxes VALUES (8, 0)'));
});

after(async () => {
  await db.close();
  await database.drop();
});

const valueIn = (n: number): Promise<number | undefined> =>
  db.read(async (tx) => (await tx.row<{ v: number }>('SELECT v FROM boxes WHERE n = $1', [n]))?.v);

test('statements said in one breath are done in their order, and none that follows one that failed', async () => {
  const seen = await db.transaction(async (tx) => {
    const [, row] = await Promise.all([
      tx.run('UPDATE boxes SET v = 41 WHERE n = 8'),
      tx.row<{ v: number }>('SELECT v FROM boxes WHERE n = 8'),
      tx.run('UPDATE boxes SET v = 42 WHERE n = 8'),
    ]);
    return row?.v;
  });
  assert.deepEqual([seen, await valueIn(8)], [41, 42]);
  await assert.rejects(
    db.transaction((tx) =>
      Promise.all([
        tx.run('UPDATE boxes SET v = 1 WHERE n = 8'),
        tx.run('INSERT INTO boxes VALUES (8, 0)'),
        tx.run('UPDATE boxes SET v = 2 WHERE n = 8'),
      ]),
    ),
    /duplicate key/,
  );
  assert.equal(await valueIn(8), 42);
});

test('what was only read is answered, and its connection comes back, whether the work succeeds or not', async () => {
  const [one = '', other = ''] = merchants;
  const mine = (tx: Tx) => tx.rows<{ merchant_id: string }>('SELECT merchant_id FROM merchants');
  for (let n = 0; n < 20; n++) {
    const merchantId = n % 2 === 0 ? one : other;
    const rows = await db.forMerchant(merchantId, mine, { onlyReads: true });
    assert.deepEqual(rows, [{ merchant_id: merchantId }]);
    const failing = db.forMerchant(merchantId, (tx) => tx.rows('SELECT 1 / 0'), {
      onlyReads: true,
    });
    await assert.rejects(failing, /division by zero/);
  }
});

test('of a transaction that could not begin nothing is done, not even what was asked in the same breath', async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 1, pipeline: true });
  let asked = '';
  await assert.rejects(
    async () =>
      inTransaction(
        await pool.connect(),
        'BEGIN; SET LOCAL ROLE nobody_of_this_name',
        async (tx) => {
          const reading = tx.row<{ who: string }>('SELECT current_user AS who');
          const writing = tx.run('UPDATE boxes SET v = 99 WHERE n = 8');
          const [read] = await Promise.allSettled([reading, writing]);
          asked = read.status;
        },
        false,
      ),
    /role "nobody_of_this_name" does not exist/,
  );
  assert.equal(asked, 'rejected', 'nothing is read without the confinement that was asked for');
  assert.equal(await valueIn(8), 42);
  const again = inTransaction(await pool.connect(), 'BEGIN', (tx) => tx.rows('SELECT 1'), true);
  assert.equal((await again).length, 1, 'its connection is as good as new');
  await pool.end();
});

test('what is left of a transaction that failed cannot speak into the next one on its connection', async () => {
  const late = Promise.withResolvers<void>();
  let straggler: Promise<number> | undefined;
  const failing = db.transaction((tx) => {
    straggler = late.promise.then(() => tx.run('UPDATE boxes SET v = 77 WHERE n = 8'));
    return Promise.all([straggler, tx.rows('SELECT 1 / 0')]);
  });
  await assert.rejects(failing, /division by zero/);
  late.resolve();
  await assert.rejects(straggler ?? Promise.resolve(), /said after its transaction/);
  assert.equal(await valueIn(8), 42);
});

test('a change that waits for the beginning is not overtaken by one that comes when it is known', async () => {
  const order = await db.transaction(async (tx) => {
    const raise = (by: number) =>
      tx.row<{ v: number }>('UPDATE boxes SET v = v * $1 + 1 WHERE n = 8 RETURNING v', [by]);
    const first = tx.rows('SELECT 1').then(() => raise(3));
    const others = [raise(2), raise(5)];
    return (await Promise.all([...others, first])).map((row) => row?.v);
  });
  assert.deepEqual(order, [85, 426, 1279]);
});
