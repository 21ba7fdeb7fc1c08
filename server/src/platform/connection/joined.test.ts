import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { type Db, openDb, type Tx } from '../db/db.ts';

let database: TestDatabase;
let db: Db;

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 1);
  await asOwner(db, async (tx) => {
    await tx.run('CREATE TABLE crates (n int PRIMARY KEY, what text NOT NULL)');
    await tx.run(
      'CREATE TABLE labels (n int CONSTRAINT labels_of_crate REFERENCES crates, what text)',
    );
    await tx.run('GRANT ALL ON crates, labels TO recollect_engine');
  });
});
after(async () => {
  await db.close();
  await database.drop();
});

const CRATES = 'INSERT INTO crates (n, what) SELECT * FROM unnest($1::int[], $2::text[])';
const LABEL = 'INSERT INTO labels (n, what) VALUES ($1, $2)';
const NEXT_LABEL = 'INSERT INTO labels (n, what) VALUES ($2 + 1, $1)';
const SAID = `SELECT string_agg(what, ',' ORDER BY what) AS what FROM labels`;

const labels = (tx: Tx) => tx.row<{ what: string | null }>(SAID);
const begun = (): Promise<string[]> =>
  db.read(async (tx) => {
    const rows = await tx.rows<{ statement: string }>(
      `SELECT statement FROM pg_prepared_statements WHERE statement ~ 'INTO (crates|labels)'`,
    );
    return rows.map(({ statement }) => statement);
  });

test('insertions said in one breath are one statement, each with its own values and keys that see the others', async () => {
  const seen = await db.transaction(async (tx) => {
    tx.unawaited(tx.insert(LABEL, [1, 'first']));
    tx.unawaited(
      tx.insert(CRATES, [
        [1, 2],
        ['red', 'blue'],
      ]),
    );
    tx.unawaited(tx.insert(NEXT_LABEL, ['second', 1]));
    return labels(tx);
  });
  assert.equal(seen?.what, 'first,second');
  const [statement = '', ...others] = await begun();
  assert.deepEqual(others, []);
  assert.match(statement, /unnest\(\$3::int\[\], \$4::text\[\]\).*VALUES \(\$6 \+ 1, \$5\)$/);
});

test('one that is said again begins another statement, so that their number makes no new ones', async () => {
  await db.transaction((tx) => tx.run('DELETE FROM labels'));
  const before = await begun();
  await db.transaction(async (tx) => {
    for (const what of ['a', 'b', 'c']) tx.unawaited(tx.insert(LABEL, [1, what]));
  });
  const after = await begun();
  assert.deepEqual([...new Set(after).difference(new Set(before))], [LABEL]);
  assert.equal((await db.read(labels))?.what, 'a,b,c');
});

test('a statement between two insertions sees the first and not the second', async () => {
  await db.transaction((tx) => tx.run('DELETE FROM labels'));
  const [, between] = await db.transaction((tx) =>
    Promise.all([tx.insert(LABEL, [1, 'a']), labels(tx), tx.insert(LABEL, [2, 'b'])]),
  );
  assert.equal(between?.what, 'a');
});

test('where one of them fails, none is done, and the transaction fails with its error', async () => {
  await db.transaction((tx) => tx.run('DELETE FROM labels'));
  const doomed = db.transaction(async (tx) => {
    tx.unawaited(tx.insert(LABEL, [1, 'kept?']));
    tx.unawaited(tx.insert(NEXT_LABEL, ['of no crate', 98]));
  });
  await assert.rejects(doomed, { constraint: 'labels_of_crate' });
  assert.equal((await db.read(labels))?.what, null);
});
