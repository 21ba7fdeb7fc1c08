import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../test-support/database.ts';
import { type Db, openDb, type Tx } from './db.ts';
import { bareMerchant, testPlatform } from './http/test-platform.ts';

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
