import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { type Db, openDb } from '../db/db.ts';
import { type Rewrap, rewrapAll } from './rewrap.ts';
import type { SealedColumn } from './sealed-columns.ts';
import { makeVault } from './vault.ts';

const K1: [string, Buffer] = ['k1', Buffer.alloc(32, 1)];
const K2: [string, Buffer] = ['k2', Buffer.alloc(32, 2)];
const INDEX = Buffer.alloc(32, 3);
const OLD = makeVault(new Map([K1]), INDEX);
const BOTH = makeVault(new Map([K2, K1]), INDEX);
const NEW = makeVault(new Map([K2]), INDEX);

const TEXT: SealedColumn = {
  table: 'secrets',
  column: 'secret',
  key: ['a', 'b'],
  also: ['place'],
  sealedIn: [],
  context: ({ a, b, place }) => `${a} ${b} ${place}`,
};
const FIELD: SealedColumn = {
  ...TEXT,
  column: 'body',
  field: 'payer',
  context: ({ movementId }) => `payer ${movementId}`,
};

let database: TestDatabase;
let db: Db;

beforeEach(async () => {
  database = await testDatabase();
  db = openDb(database.url, 4);
  await asOwner(db, async (tx) => {
    await tx.run(
      'CREATE TABLE secrets (a text, b text, place text NOT NULL, secret text, body text, PRIMARY KEY (a, b))',
    );
    await tx.run('GRANT ALL ON secrets TO recollect_engine');
  });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

/** Adds a row with a secret; returns its key. */
async function add(n: number, secret: string | null, body: string | null = null): Promise<void> {
  const [a, b] = [`a${n % 3}`, `b${n}`];
  await db.transaction((tx) =>
    tx.run('INSERT INTO secrets VALUES ($1, $2, $3, $4, $5)', [a, b, 'here', secret, body]),
  );
}

const sealedFor = (n: number, vault = OLD): string =>
  vault.seal(`secret ${n}`, `a${n % 3} b${n} here`);

/** Opens every secret with the new key alone. */
async function opened(): Promise<(string | null)[]> {
  type Row = { a: string; b: string; place: string; secret: string | null };
  const rows = await db.read((tx) =>
    tx.rows<Row>('SELECT a, b, place, secret FROM secrets ORDER BY length(b), b'),
  );
  return rows.map(({ secret, ...row }) =>
    secret === null ? null : NEW.open(secret, TEXT.context(row)),
  );
}

const rewrap = (fields: Partial<Rewrap> = {}) =>
  rewrapAll({ db, vault: BOTH, current: 'k2', page: 4, columns: [TEXT], ...fields });

test('what is sealed under an old key is sealed under the new one, whatever the size of a page', async () => {
  for (let n = 1; n <= 9; n++) await add(n, sealedFor(n, n === 5 ? NEW : OLD));
  await add(10, null);
  const dry = await rewrap({ isDry: true });
  assert.deepEqual(dry.columns, [{ column: 'secrets.secret', rows: 10, stale: 8, rewrapped: 0 }]);
  const { columns, unreadable, isComplete } = await rewrap();
  assert.deepEqual(columns, [{ column: 'secrets.secret', rows: 10, stale: 8, rewrapped: 8 }]);
  assert.deepEqual([unreadable, isComplete], [[], true]);
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `secret ${n}`);
  assert.deepEqual(await opened(), [...all, null]);
});

test('a run that is stopped goes on where it was, and a finished one has nothing to do', async () => {
  for (let n = 1; n <= 9; n++) await add(n, sealedFor(n));
  const stopped = rewrap({
    onProgress: ({ rewrapped }) => {
      if (rewrapped >= 4) throw new Error('stopped');
    },
  });
  await assert.rejects(stopped, /stopped/);
  assert.equal((await rewrap()).columns[0]?.rewrapped, 5);
  assert.equal((await rewrap()).columns[0]?.stale, 0);
});

test('a value that somebody writes meanwhile is not lost, and is sealed again in the next pass', async () => {
  await add(1, sealedFor(1));
  const isRow = `a = 'a1' AND b = 'b1'`;
  let writes = 0;
  const vault: Rewrap['vault'] = {
    ...BOTH,
    seal(plain, context) {
      writes++;
      return BOTH.seal(plain, context);
    },
  };
  const racing: Db = {
    ...db,
    transaction: async (work, options) => {
      // Between the page and its change, another process seals a new value under the old key.
      if (options?.lockTimeoutMs !== undefined && writes === 1)
        await db.transaction((tx) =>
          tx.run(`UPDATE secrets SET secret = $1 WHERE ${isRow}`, [
            OLD.seal('newer', 'a1 b1 here'),
          ]),
        );
      return db.transaction(work, options);
    },
  };
  const { columns, isComplete } = await rewrap({ db: racing, vault });
  assert.deepEqual([columns[0]?.stale, columns[0]?.rewrapped, isComplete], [2, 1, true]);
  assert.deepEqual(await opened(), ['newer']);
});

test('a field of JSON is sealed again, and the rest of it stays as it is', async () => {
  const body = { kind: 'payin', movementId: 'm1', payer: OLD.seal('Alex', 'payer m1'), n: 5 };
  await add(1, null, JSON.stringify(body));
  await add(2, null, JSON.stringify({ ...body, payer: null }));
  await add(3, null, '{"payer": "v1.k1.not ours"}');
  const { columns } = await rewrap({ columns: [FIELD] });
  assert.equal(columns[0]?.rewrapped, 1);
  const row = await db.read((tx) =>
    tx.row<{ body: string }>(`SELECT body FROM secrets WHERE b = 'b1'`),
  );
  const { payer, ...rest } = JSON.parse(row?.body ?? '') as typeof body;
  assert.equal(NEW.open(payer, 'payer m1'), 'Alex');
  assert.deepEqual(rest, { kind: 'payin', movementId: 'm1', n: 5 });
});

test('what cannot be opened is named and left, and the rest is sealed again', async () => {
  await add(1, sealedFor(1));
  await add(2, makeVault(new Map([['k0', Buffer.alloc(32, 9)]]), INDEX).seal('x', 'c'));
  await add(3, OLD.seal('moved here', 'another context'));
  const { columns, unreadable, isComplete } = await rewrap();
  assert.equal(isComplete, false);
  assert.equal(columns[0]?.rewrapped, 1);
  assert.equal(unreadable.length, 2);
  assert.match(unreadable.join('\n'), /^secrets.secret a2 b2: sealed under the unknown key k0$/m);
});
