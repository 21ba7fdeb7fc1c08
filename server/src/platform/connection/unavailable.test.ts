import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { type Db, openDb } from '../db/db.ts';
import { isUnavailable } from './unavailable.ts';

let database: TestDatabase;
let db: Db;

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 1);
});

after(async () => {
  await db.close();
  await database.drop();
});

test('a database that lets nobody in is one that cannot be asked, and comes back', async () => {
  const closed = await testDatabase();
  const own = openDb(closed.url, 1);
  const setOpen = (allowed: boolean) =>
    asOwner(db, (tx) =>
      tx.run(
        `ALTER DATABASE ${new URL(closed.url).pathname.slice(1)} ALLOW_CONNECTIONS ${allowed}`,
      ),
    );
  try {
    await setOpen(false);
    await assert.rejects(
      own.read((tx) => tx.row('SELECT 1')),
      (error) => isUnavailable(error),
    );
    await setOpen(true);
    assert.deepEqual(await own.read((tx) => tx.row('SELECT 1 AS one')), { one: 1 });
  } finally {
    await own.close();
    await closed.drop();
  }
});

test('a host of which no address answers is a database that cannot be asked', () => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
  assert.equal(isUnavailable(new AggregateError([refused, refused])), true);
  assert.equal(isUnavailable(new AggregateError([new Error('other')])), false);
});
