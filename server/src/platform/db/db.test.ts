import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { bareMerchant, testPlatform } from '../../../test-support/slices/platform.ts';
import { isUnavailable } from '../connection/unavailable.ts';
import { type Db, openDb, type SqlValue, type Tx } from './db.ts';

let database: TestDatabase;
let db: Db;
let merchants: string[];

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 8);
  const platform = { ...testPlatform(database.url), db };
  merchants = [await bareMerchant(platform), await bareMerchant(platform)];
  await asOwner(db, async (tx) => {
    await tx.run('CREATE TABLE boxes (n int PRIMARY KEY, v int NOT NULL)');
    await tx.run('GRANT ALL ON boxes TO recollect_engine');
  });
  await db.transaction((tx) =>
    tx.run('INSERT INTO boxes SELECT n, 0 FROM generate_series(1, 9) n'),
  );
});

after(async () => {
  await db.close();
  await database.drop();
});

/** Returns one value computed by the database. */
async function ask(sql: string, values: SqlValue[] = []): Promise<unknown> {
  const row = await db.read((tx) => tx.row<{ v: unknown }>(sql, values));
  return row?.v;
}

const valueIn = (n: number): Promise<unknown> => ask('SELECT v FROM boxes WHERE n = $1', [n]);
const add = (tx: Tx, n: number): Promise<number> =>
  tx.run('UPDATE boxes SET v = v + 1 WHERE n = $1', [n]);

/** Sets a default for new connections to this test's database. */
const setForDatabase = (setting: string): Promise<number> =>
  asOwner(db, (tx) =>
    tx.run(
      `DO $$ BEGIN
         EXECUTE format('ALTER DATABASE %I SET ${setting.replaceAll("'", "''")}', current_database());
       END $$`,
    ),
  );

/** Ends the listening connections of this test's database. */
const cutListeners = (): Promise<unknown> =>
  asOwner(db, (tx) =>
    tx.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'recollect listener'`,
    ),
  );

test('a transaction is all or nothing, and answers what its work answers', async () => {
  assert.equal(await db.transaction(async (tx) => add(tx, 1)), 1);
  await assert.rejects(
    db.transaction(async (tx) => {
      await add(tx, 1);
      throw new Error('changed my mind');
    }),
    /changed my mind/,
  );
  assert.equal(await valueIn(1), 1);
});

test('two transactions that wait for each other both end well: the one refused is tried again', async () => {
  let tries = 0;
  const meeting = Promise.withResolvers<void>();
  let arrived = 0;
  const both = (first: number, second: number) =>
    db.transaction(async (tx) => {
      tries++;
      await add(tx, first);
      if (++arrived >= 2) meeting.resolve();
      await meeting.promise;
      await add(tx, second);
    });
  await Promise.all([both(2, 3), both(3, 2)]);
  assert.ok(tries > 2, 'one of them was refused');
  assert.equal(await valueIn(2), 2);
  assert.equal(await valueIn(3), 2);
});

for (const code of ['40P01', '40001'])
  test(`what fails with ${code} every time is tried five times, not for ever`, async () => {
    let tries = 0;
    const hopeless = db.transaction(async (tx) => {
      tries++;
      await tx.run(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '${code}'; END $$`);
    });
    await assert.rejects(hopeless, { code });
    assert.equal(tries, 5);
  });

test('any other failure is not tried again', async () => {
  let tries = 0;
  const failing = db.transaction(async (tx) => {
    tries++;
    await tx.run('INSERT INTO boxes VALUES (1, 1)');
  });
  await assert.rejects(failing, { constraint: 'boxes_pkey' });
  assert.equal(tries, 1);
});

test('a transaction whose failed statement was hushed up does not pass for committed', async () => {
  const work = db.transaction(async (tx) => {
    await add(tx, 4);
    await tx.run('SELECT 1 / 0').catch(() => 0);
    return 'done';
  });
  await assert.rejects(work, /rolled back/);
  assert.equal(await valueIn(4), 0);
});

test('forMerchant sees and writes the rows of one merchant, and no other', async () => {
  const [mine = '', other = ''] = merchants;
  const seen = await db.forMerchant(mine, (tx) =>
    tx.rows<{ merchantId: string }>('SELECT merchant_id FROM merchants'),
  );
  assert.deepEqual(seen, [{ merchantId: mine }]);
  const rename = 'UPDATE merchants SET name = $2 WHERE merchant_id = $1';
  assert.equal(await db.forMerchant(mine, (tx) => tx.run(rename, [other, 'Taken'])), 0);
  assert.equal(await db.forMerchant(mine, (tx) => tx.run(rename, [mine, 'Mine'])), 1);
  const insert = `INSERT INTO accounts (merchant_id, account_id, kind) VALUES ($1, 'a', 'outside')`;
  await assert.rejects(
    db.forMerchant(mine, (tx) => tx.run(insert, [other])),
    { code: '42501' },
  );
});

test('what the API has no right to is out of reach in forMerchant', async () => {
  const [mine = ''] = merchants;
  for (const sql of [
    'SELECT FROM inbox',
    'SELECT FROM migrations',
    'DELETE FROM merchants',
    'DELETE FROM transfers',
    'CREATE TABLE mine ()',
  ])
    await assert.rejects(
      db.forMerchant(mine, (tx) => tx.run(sql)),
      { code: '42501' },
      sql,
    );
});

test('the confinement ends with its transaction, also when that fails', async () => {
  const [mine = ''] = merchants;
  const one = openDb(database.url, 1);
  const count = () => one.transaction((tx) => tx.run('SELECT FROM merchants'));
  try {
    assert.equal(await one.forMerchant(mine, (tx) => tx.run('SELECT FROM merchants')), 1);
    assert.equal(await count(), 2);
    await assert.rejects(one.forMerchant(mine, (tx) => tx.run('SELECT 1 / 0')));
    assert.equal(await count(), 2);
  } finally {
    await one.close();
  }
});

test('a text that is no merchant id never reaches the database', () => {
  for (const id of [
    '',
    'mer_',
    "mer_'; DROP TABLE boxes; --",
    `${merchants[0]}x`,
    `${merchants[0]}\n`,
  ])
    assert.throws(() => db.forMerchant(id, async () => 1), /not a merchant id/);
});

test('whole numbers come back as numbers up to 2^53-1, and are refused beyond', async () => {
  const most = Number.MAX_SAFE_INTEGER;
  assert.equal(await ask('SELECT $1::bigint AS v', [most]), most);
  assert.equal(await ask('SELECT $1::bigint AS v', [-most]), -most);
  await assert.rejects(ask('SELECT 9007199254740992::bigint AS v'), /beyond 2\^53-1/);
  await assert.rejects(ask('SELECT (-9007199254740992)::bigint AS v'), RangeError);
  assert.equal(await ask('SELECT count(*) AS v FROM boxes'), 9);
});

test('instants and dates come back as they were sent, whatever the server prefers', async () => {
  const moments = [
    '0001-01-01T00:00:00Z',
    '1970-01-01T00:00:00.001Z',
    '2026-03-29T00:59:59.999Z',
    '2026-10-25T01:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ].map((text) => Temporal.Instant.from(text));
  for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns']) {
    await setForDatabase(`TimeZone = '${zone}'`);
    await setForDatabase(`DateStyle = 'German, DMY'`);
    const fresh = openDb(database.url, 1);
    await fresh.read(async (tx) => {
      for (const at of moments) {
        const row = await tx.row<{ v: Temporal.Instant }>('SELECT $1::timestamptz AS v', [at]);
        assert.ok(
          row?.v instanceof Temporal.Instant && row.v.equals(at),
          `${at} ${row?.v} ${zone}`,
        );
      }
      const day = Temporal.PlainDate.from('2028-02-29');
      const row = await tx.row<{ v: Temporal.PlainDate }>('SELECT $1::date AS v', [day]);
      assert.ok(row?.v.equals(day));
    });
    await fresh.close();
  }
});

test('arrays, nulls and bytes come back as they were sent', async () => {
  const at = Temporal.Instant.from('2026-03-02T10:00:00Z');
  const rows = await db.read((tx) =>
    tx.rows('SELECT * FROM unnest($1::text[], $2::bigint[], $3::timestamptz[]) AS x (t, n, at)', [
      ['a,"b"', null],
      [1, null],
      [at, null],
    ]),
  );
  assert.deepEqual(rows, [
    { t: 'a,"b"', n: 1, at },
    { t: null, n: null, at: null },
  ]);
  const bytes = Buffer.from([0, 1, 255]);
  assert.deepEqual(await ask('SELECT $1::bytea AS v', [bytes]), bytes);
});

test('a statement is prepared once for each connection and used again', async () => {
  const one = openDb(database.url, 1);
  try {
    const sql = 'SELECT v FROM boxes WHERE n = $1';
    for (let n = 1; n <= 5; n++) await one.read((tx) => tx.row(sql, [n]));
    const prepared = await one.read((tx) =>
      tx.rows<{ uses: number }>(
        `SELECT (generic_plans + custom_plans)::int AS uses FROM pg_prepared_statements
         WHERE statement = $1`,
        [sql],
      ),
    );
    assert.deepEqual(prepared, [{ uses: 5 }]);
  } finally {
    await one.close();
  }
});

test('row is the single row or null, and more than one is a defect', async () => {
  assert.equal(await db.read((tx) => tx.row('SELECT FROM boxes WHERE n = 0')), null);
  await assert.rejects(
    db.read((tx) => tx.row('SELECT FROM boxes')),
    /expected one row, got 9/,
  );
});

test('no connection waits for ever: not for a lock, not for a statement', async () => {
  assert.equal(await ask(`SELECT current_setting('lock_timeout') AS v`), '15s');
  assert.equal(await ask(`SELECT current_setting('statement_timeout') AS v`), '5min');
});

test('a row that somebody holds for too long is an error that says so', async () => {
  const held = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const holding = db.transaction(async (tx) => {
    await add(tx, 9);
    held.resolve();
    await done.promise;
  });
  await held.promise;
  const waiting = db.transaction(async (tx) => {
    await tx.run(`SELECT set_config('lock_timeout', '50ms', true)`);
    await add(tx, 9);
  });
  await assert.rejects(waiting, (error) => isUnavailable(error));
  done.resolve();
  await holding;
});

test('a connection that is cut fails its transaction and not the process; the next one works', async () => {
  const own = openDb(database.url, 2);
  try {
    const broken = own.transaction(async (tx) => {
      await add(tx, 5);
      const own = await tx.row<{ v: number }>('SELECT pg_backend_pid() AS v');
      await asOwner(db, (tx) => tx.run('SELECT pg_terminate_backend($1)', [own?.v ?? 0]));
      await new Promise((resolve) => setTimeout(resolve, 50)); // the cut is noticed while no statement runs
      await add(tx, 5);
    });
    await assert.rejects(broken, (error) => isUnavailable(error), 'nobody blames the row');
    assert.equal(await own.transaction((tx) => add(tx, 6)), 1);
    assert.equal(await valueIn(5), 0);
  } finally {
    await own.close();
  }
});

test('a listener that cannot begin says so, and does not go on trying', async () => {
  let calls = 0;
  const broken = createServer((socket) => {
    calls++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(broken, 'listening');
  const { port } = broken.address() as AddressInfo;
  const lost = openDb(`postgres://nobody@127.0.0.1:${port}/nothing`);
  await assert.rejects(lost.listen('news', () => undefined));
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  assert.equal(calls, 1);
  await lost.close();
  broken.close();
});

test('a listener hears what is notified, also after a lost connection, until it is stopped', async () => {
  const heard: string[] = [];
  const stop = await db.listen('news', (payload) => void heard.push(payload));
  const notify = (text: string) =>
    db.read((tx) => tx.rows('SELECT pg_notify($1, $2)', ['news', text]));
  const until = async (text: string, again: boolean) => {
    for (let tries = 0; tries < 1_000 && !heard.includes(text); tries++) {
      if (again || tries === 0) await notify(text);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    assert.ok(heard.includes(text), text);
  };
  await until('before', false);
  await cutListeners();
  await until('after', true);
  await stop();
  await notify('too late');
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.ok(!heard.includes('too late'));
});
