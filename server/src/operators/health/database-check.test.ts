import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { makeDatabaseCheck } from './database-check.ts';
import { LATE } from './database-problem.ts';

const AT_ONCE = { keptMs: 0, writeEveryMs: 0 };

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 3);
});
after(async () => {
  await db.close();
  await database.drop();
});

const check = (over: Partial<Db> = {}, often = AT_ONCE) =>
  makeDatabaseCheck({ api: { ...db, ...over }, engine: db }, often);

test('a database that takes changes is written, and its disk is asked for new space', async () => {
  const bytes = async (): Promise<number> => {
    const row = await db.read((tx) =>
      tx.row<{ bytes: number }>(
        `SELECT temp_bytes AS bytes, pg_stat_clear_snapshot() FROM pg_stat_database
         WHERE datname = current_database()`,
      ),
    );
    return row?.bytes ?? 0;
  };
  const earlier = await bytes();
  const own = openDb(database.url, 1); // a session reports its figures at its end
  const { milliseconds, refusal } = await makeDatabaseCheck({ api: own, engine: own }, AT_ONCE)();
  await own.close();
  assert.ok(milliseconds !== null);
  assert.equal(refusal, null);
  const row = await db.read((tx) => tx.row('SELECT written_at FROM write_check'));
  assert.ok(row !== null);
  for (let tries = 0; (await bytes()) === earlier; tries++) {
    assert.ok(tries < 600, 'no temporary file was written');
    await sleep(100);
  }
});

test('a database that may only be read says so, until it can be written again', async (t) => {
  const name = new URL(database.url).pathname.slice(1);
  const setReadOnly = (isOn: string) =>
    asOwner(db, (tx) =>
      tx.run(`ALTER DATABASE ${name} SET default_transaction_read_only = ${isOn}`),
    );
  const own = async (): Promise<string | null> => {
    const fresh = openDb(database.url, 1); // the setting counts for new sessions
    t.after(() => fresh.close());
    return (await makeDatabaseCheck({ api: fresh, engine: fresh }, AT_ONCE)()).refusal;
  };
  await setReadOnly('on');
  assert.equal(await own(), '25006');
  await asOwner(db, async (tx) => {
    await tx.run('SET default_transaction_read_only = off');
    await tx.run(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  });
  assert.equal(await own(), null);
});

test('a database that shuts down while it is written does not answer', async () => {
  const transaction: Db['transaction'] = () =>
    Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P01' }));
  const gone = { ...db, transaction };
  const state = await makeDatabaseCheck({ api: gone, engine: gone }, AT_ONCE)();
  assert.deepEqual(state, { milliseconds: null, refusal: null });
});

test('a write that does not end is late', async () => {
  await check()();
  await db.transaction(async (tx) => {
    await tx.run('SELECT FROM write_check FOR UPDATE');
    const { refusal } = await check()();
    assert.ok(refusal === LATE || refusal === '55P03', String(refusal));
  });
  assert.equal((await check()()).refusal, null);
});

test('a statement that was refused for want of space counts until the next write succeeds', async () => {
  let atMs = 0;
  const shortage = () => ({ code: '53100', atMs });
  const rarely = check({ shortage }, { keptMs: 0, writeEveryMs: 60_000 });
  assert.equal((await rarely()).refusal, null, 'it was refused before the write');
  atMs = performance.now();
  assert.equal((await rarely()).refusal, '53100');
  assert.equal((await check({ shortage })()).refusal, null, 'written since');
});

test('what PostgreSQL refuses for want of something is noted by the pool that asked', async () => {
  assert.equal(db.shortage(), null);
  const refuse = db.transaction((tx) =>
    tx.run(`DO $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$`),
  );
  await assert.rejects(refuse, { code: '53100' });
  assert.equal(db.shortage()?.code, '53100');
});

test('however many ask, the database is written once in its time', async () => {
  let writes = 0;
  const transaction: Db['transaction'] = (work, options) => {
    writes += 1;
    return db.transaction(work, options);
  };
  const both = { ...db, transaction };
  const often = makeDatabaseCheck({ api: both, engine: both }, { keptMs: 0, writeEveryMs: 60_000 });
  await Promise.all([often(), often()]);
  await often();
  assert.equal(writes, 1);
});
