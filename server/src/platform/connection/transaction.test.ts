import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { bareMerchant, testPlatform } from '../../../test-support/slices/platform.ts';
import { type Db, openDb, type Tx } from '../db/db.ts';
import { inReads, inTransaction, type Setting } from './transaction.ts';

let database: TestDatabase;
let db: Db;
let merchants: string[];

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 4);
  const platform = { ...testPlatform(database.url), db };
  merchants = [await bareMerchant(platform), await bareMerchant(platform)];
  await asOwner(db, async (tx) => {
    await tx.run('CREATE TABLE boxes (n int PRIMARY KEY, v int NOT NULL)');
    await tx.run('GRANT ALL ON boxes TO recollect_engine');
  });
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
  const mine = (tx: Tx) => tx.rows<{ merchantId: string }>('SELECT merchant_id FROM merchants');
  for (let n = 0; n < 20; n++) {
    const merchantId = n % 2 === 0 ? one : other;
    const rows = await db.forMerchant(merchantId, mine, { onlyReads: true });
    assert.deepEqual(rows, [{ merchantId }]);
    const failing = db.forMerchant(merchantId, (tx) => tx.rows('SELECT 1 / 0'), {
      onlyReads: true,
    });
    await assert.rejects(failing, /division by zero/);
  }
});

const NOBODY: Setting = { sql: "SELECT set_config('role', 'nobody_of_this_name', true)" };

for (const [kind, begin, run] of [
  ['transaction', [{ sql: 'BEGIN' }, NOBODY], inTransaction],
  ['read', [NOBODY], inReads],
] as const)
  test(`of a ${kind} that could not begin nothing is done, neither at once nor later`, async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1, pipeline: true });
    const outcomes: string[] = [];
    const failing = async () =>
      run(await pool.connect(), begin, async (tx) => {
        const write = () => tx.run('UPDATE boxes SET v = 99 WHERE n = 8');
        const reading = tx.rows('SELECT current_user');
        const meanwhile = new Promise((resolve) => setImmediate(resolve)).then(write);
        for (const { status } of await Promise.allSettled([reading, write(), meanwhile]))
          outcomes.push(status);
        await write();
      });
    await assert.rejects(failing, /role "nobody_of_this_name" does not exist/);
    assert.deepEqual(outcomes, ['rejected', 'rejected', 'rejected']);
    assert.equal(await valueIn(8), 42);
    const again = inTransaction(await pool.connect(), [{ sql: 'BEGIN' }], (tx) =>
      tx.rows('SELECT 1 AS one'),
    );
    assert.deepEqual(await again, [{ one: 1 }], 'its connection is as good as new');
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

/** Stands between a client and the test's database; counts the pieces that each of them sends. */
async function listeningIn() {
  const { hostname, port } = new URL(database.url);
  const pieces = { sent: 0, answered: 0 };
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', () => undefined);
    client.on('data', (piece) => {
      pieces.sent++;
      server.write(piece);
    });
    server.on('data', (piece) => {
      pieces.answered++;
      client.write(piece);
    });
    client.on('close', () => server.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(database.url);
  url.port = String((proxy.address() as AddressInfo).port);
  url.searchParams.delete('host'); // the server's socket
  return { pieces, url: url.href, close: () => proxy.close() };
}

test('a read of a merchant is one piece there and one piece back, a change two', async () => {
  const { pieces, url, close } = await listeningIn();
  const own = openDb(url, 1);
  const [merchantId = ''] = merchants;
  const read = (tx: Tx) =>
    Promise.all([tx.row('SELECT name FROM merchants'), tx.row('SELECT count(*) FROM customers')]);
  const change = (tx: Tx) =>
    Promise.all([
      tx.row('SELECT name FROM merchants'),
      tx.run("UPDATE merchants SET website = 'https://example.com'"),
    ]);
  const counted = async (work: () => Promise<unknown>) => {
    await work(); // prepares the statements
    const before = { ...pieces };
    await work();
    return [pieces.sent - before.sent, pieces.answered - before.answered];
  };
  try {
    const reading = () => own.forMerchant(merchantId, read, { onlyReads: true });
    assert.deepEqual(await counted(reading), [1, 1]);
    assert.deepEqual(await counted(() => own.forMerchant(merchantId, change)), [2, 2]);
  } finally {
    await own.close();
    close();
  }
});

test('a statement that failed, or was skipped behind one that did, is as good as new afterwards', async () => {
  const one = openDb(database.url, 1);
  const late = 'SELECT v FROM late_boxes';
  const skipped = 'SELECT v + 1 AS v FROM boxes WHERE n = 8';
  try {
    const both = (tx: Tx) => Promise.all([tx.row(late), tx.row(skipped)]);
    await assert.rejects(one.transaction(both), /"late_boxes" does not exist/);
    await asOwner(one, async (tx) => {
      await tx.run('CREATE TABLE late_boxes AS SELECT 7 AS v');
      await tx.run('GRANT ALL ON late_boxes TO recollect_engine');
    });
    assert.deepEqual((await one.transaction(both))[0], { v: 7 });
    await asOwner(one, (tx) => tx.run('ALTER TABLE late_boxes ALTER v TYPE text'));
    await assert.rejects(one.transaction(both), /cached plan must not change result type/);
    assert.deepEqual((await one.transaction(both))[0], { v: '7' });
  } finally {
    await one.close();
  }
});

test('a row that cannot be read fails its own statement, and those around it are answered', async () => {
  const sums = ['SELECT 1 AS v', 'SELECT 9007199254740992::bigint AS v', 'SELECT 3 AS v'];
  const seen = await db.read((tx) => Promise.allSettled(sums.map((sql) => tx.row(sql))));
  assert.deepEqual(
    seen.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.name)),
    [{ v: 1 }, 'RangeError', { v: 3 }],
  );
});

const fill = 'INSERT INTO boxes VALUES (9, 1)';

test('work that nobody waits for goes with COMMIT, and fails the transaction if it fails', async () => {
  const { pieces, url, close } = await listeningIn();
  const own = openDb(url, 1);
  const [merchantId = ''] = merchants;
  const rename = "UPDATE merchants SET website = 'https://example.org'";
  const change = async (tx: Tx) => tx.unawaited(Promise.all([tx.run(rename), tx.run(rename)]));
  try {
    await own.forMerchant(merchantId, change);
    const before = { ...pieces };
    await own.forMerchant(merchantId, change);
    assert.deepEqual([pieces.sent - before.sent, pieces.answered - before.answered], [1, 1]);
  } finally {
    await own.close();
    close();
  }
  const failing = db.transaction(async (tx) => {
    tx.unawaited(tx.run(fill));
    tx.unawaited(tx.run('INSERT INTO boxes VALUES (8, 1)'));
    return 'done';
  });
  await assert.rejects(failing, { constraint: 'boxes_pkey' });
  assert.equal(await valueIn(9), undefined);
});

test('work that nobody waits for and that fails before it says anything fails the transaction too', async () => {
  const failing = db.transaction(async (tx) => {
    tx.unawaited(Promise.reject(new Error('not sealed')));
    tx.unawaited(tx.run(fill));
  });
  await assert.rejects(failing, /not sealed/);
  const later = db.transaction(async (tx) => {
    tx.unawaited(tx.run('INSERT INTO boxes VALUES (8, 1)'));
    await tx.rows('SELECT 1').catch(() => 0);
    await tx.run(fill);
  });
  await assert.rejects(later, { constraint: 'boxes_pkey' });
  assert.equal(await valueIn(9), undefined);
});

test('what the work throws is thrown, not that a statement which nobody waits for was never sent', async () => {
  const refused = db.transaction(async (tx) => {
    await tx.rows('SELECT 1');
    tx.unawaited(tx.run(fill));
    throw new Error('refused');
  });
  await assert.rejects(refused, /^Error: refused$/);
  assert.equal(await valueIn(9), undefined);
});

test('what is to follow a commit follows it, and neither a failure nor a read', async () => {
  const told: string[] = [];
  await db.transaction(async (tx) => {
    tx.afterCommit(() => told.push('committed'));
    await tx.run('SELECT 1');
    assert.deepEqual(told, []);
  });
  const failed = db.transaction(async (tx) => {
    tx.afterCommit(() => told.push('rolled back'));
    throw new Error('no');
  });
  await assert.rejects(failed, /no/);
  await assert.rejects(
    db.read(async (tx) => tx.afterCommit(() => told.push('read'))),
    /a read commits nothing/,
  );
  assert.deepEqual(told, ['committed']);
});

test('the reads of a snapshot see the books of one moment, and it changes nothing', async () => {
  const count = (tx: Tx) => tx.run('SELECT FROM boxes');
  const before = await db.read(count);
  await db.snapshot(async (tx) => {
    assert.equal(await count(tx), before);
    await db.transaction((other) => other.run('INSERT INTO boxes VALUES (900, 0)'));
    assert.equal(await count(tx), before);
  });
  assert.equal(await db.transaction((tx) => tx.run('DELETE FROM boxes WHERE n = 900')), 1);
  await assert.rejects(
    db.snapshot((tx) => tx.run('DELETE FROM boxes')),
    /read-only transaction/,
  );
});
