import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { emptyDatabase, productDatabase, testDatabase } from '../../../test-support/database.ts';
import { schemaText } from '../../../test-support/schema.ts';
import { ADD_TEST_KEYS } from '../../../test-support/test-keys.ts';
import { checkMigrated, digestOf, migrate, readMigrations } from './migrate.ts';

const SCHEMA = new URL('../../../schema.sql', import.meta.url);

/** Makes an empty database and a folder of migrations, both removed after the test. */
async function setting(t: TestContext, files: Record<string, string> = {}) {
  const database = await emptyDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'recollect-migrations-'));
  t.after(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });
  const write = (name: string, sql: string) => writeFile(join(folder, name), sql);
  for (const [name, sql] of Object.entries(files)) await write(name, sql);
  const tables = async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    await client.end();
    return rows.map(({ name }) => name);
  };
  return { url: database.url, folder, write, tables };
}

test('the schema that the migrations make is the one that is checked in', async () => {
  const database = await emptyDatabase();
  try {
    await migrate(database.url);
    const checkedIn = await readFile(SCHEMA, 'utf8');
    assert.equal(await schemaText(database.url), checkedIn, 'npm run generate -- schema');
  } finally {
    await database.drop();
  }
});

test('the database of tests has some more keys than the product, and differs in nothing else', async () => {
  const [tests, product] = await Promise.all([testDatabase(), productDatabase()]);
  try {
    assert.equal(await schemaText(product.url), await readFile(SCHEMA, 'utf8'));
    const lines = (await schemaText(tests.url)).split('\n');
    for (const sql of ADD_TEST_KEYS) {
      const [, name] = /ADD CONSTRAINT (\w+) FOREIGN KEY/.exec(sql) ?? [];
      assert.ok(
        lines.some((line) => line.startsWith(`  CONSTRAINT ${name} FOREIGN KEY`)),
        `${name} in the database of tests`,
      );
    }
  } finally {
    await Promise.all([tests.drop(), product.drop()]);
  }
});

test('migrations are applied in order, once', async (t) => {
  const { url, folder, write, tables } = await setting(t, {
    '0002_second.sql': 'ALTER TABLE first ADD COLUMN n int;',
    '0001_first.sql': 'CREATE TABLE first (); CREATE TABLE other ();',
    'notes.txt': 'not a migration',
  });
  assert.deepEqual(await migrate(url, folder), ['0001_first', '0002_second']);
  assert.deepEqual(await migrate(url, folder), []);
  await write('0010_third.sql', 'DROP TABLE other;');
  assert.deepEqual(await migrate(url, folder), ['0010_third']);
  assert.deepEqual(await tables(), ['first', 'migrations']);
});

/** Migrations, and the one that took their place. */
const OLD = { '0001_first.sql': 'CREATE TABLE a ();', '0002_last.sql': 'CREATE TABLE b ();' };
const CURRENT = 'CREATE TABLE a (); CREATE TABLE b ();';
const NEXT = { '0003_next.sql': 'CREATE TABLE c ();' };

/** Applies some of the old migrations to a database, then puts the current one in their place. */
async function replaced(t: TestContext, applied: readonly (keyof typeof OLD)[]) {
  const { url, folder, write, tables } = await setting(t, OLD);
  const sha256 = digestOf(await readMigrations(folder));
  const remove = (name: string) => rm(join(folder, name));
  for (const name of Object.keys(OLD)) if (!applied.some((one) => one === name)) await remove(name);
  if (applied.length > 0) await migrate(url, folder);
  for (const name of applied) await remove(name);
  const line = `-- Replaces the 2 migrations up to 0002_last, sha256 ${sha256}.`;
  await write('0002_current.sql', `${line}\n${CURRENT}`);
  for (const [name, sql] of Object.entries(NEXT)) await write(name, sql);
  return { url, folder, tables };
}

test('a database with all migrations that the first one replaces goes on from there', async (t) => {
  const { url, folder, tables } = await replaced(t, ['0001_first.sql', '0002_last.sql']);
  assert.deepEqual(await migrate(url, folder), ['0003_next']);
  assert.deepEqual(await migrate(url, folder), []);
  await checkMigrated(url, folder);
  assert.deepEqual(await tables(), ['a', 'b', 'c', 'migrations']);
});

test('a new database begins with the migration that replaces others', async (t) => {
  const { url, folder } = await replaced(t, []);
  assert.deepEqual(await migrate(url, folder), ['0002_current', '0003_next']);
  assert.deepEqual(await migrate(url, folder), []);
});

test('a database with only some of the migrations that the first one replaces is refused, and stays as it is', async (t) => {
  for (const name of ['0001_first.sql', '0002_last.sql'] as const) {
    const { url, folder, tables } = await replaced(t, [name]);
    const before = await tables();
    const at = name.replace('.sql', '');
    const message = new RegExp(
      `^the database stands at ${at}, without all .* 0002_current replaces: bring it to 0002_last`,
    );
    await assert.rejects(checkMigrated(url, folder), { name: 'MigrationError', message });
    await assert.rejects(migrate(url, folder), { name: 'MigrationError', message });
    assert.deepEqual(await tables(), before);
  }
});

test('a migration that fails leaves nothing of itself, and those before it stay', async (t) => {
  const { url, folder, write, tables } = await setting(t, {
    '0001_good.sql': 'CREATE TABLE good ();',
    '0002_bad.sql': 'CREATE TABLE half ();\nCREATE TABLE wrong (n nonsense);',
  });
  await assert.rejects(migrate(url, folder), {
    name: 'MigrationError',
    message: '0002_bad.sql failed: type "nonsense" does not exist (line 2)',
  });
  assert.deepEqual(await tables(), ['good', 'migrations']);
  await write('0002_bad.sql', 'CREATE TABLE whole ();');
  assert.deepEqual(await migrate(url, folder), ['0002_bad']);
});

test('a file that was changed after it was applied is refused by name', async (t) => {
  const { url, folder, write } = await setting(t, { '0001_first.sql': 'CREATE TABLE first ();' });
  await migrate(url, folder);
  await write('0001_first.sql', 'CREATE TABLE first (n int);');
  await assert.rejects(migrate(url, folder), { message: /^0001_first\.sql was changed/ });
});

test('a migration that comes too late is refused', async (t) => {
  const { url, folder, write } = await setting(t, { '0002_second.sql': 'CREATE TABLE second ();' });
  await migrate(url, folder);
  await write('0001_first.sql', 'CREATE TABLE first ();');
  await assert.rejects(migrate(url, folder), { message: /^0001_first\.sql comes before/ });
});

/** A version that contracts: it takes away what the versions before `0002_expand` use. */
const CONTRACTING = {
  '0001_first.sql': 'CREATE TABLE first (n int);',
  '0002_expand.sql': 'ALTER TABLE first ADD COLUMN m int;',
  '0003_contract.sql':
    '-- Contracts: needs 0002_expand, released in 0.2.0.\nALTER TABLE first DROP COLUMN n;',
};

test('a version works on a database that a newer one has added to, until what it uses is taken away', async (t) => {
  const { url, folder, write } = await setting(t);
  const newest = Object.entries(CONTRACTING);
  const become = async (count: number): Promise<void> => {
    for (const [name] of newest) await rm(join(folder, name), { force: true });
    for (const [name, sql] of newest.slice(0, count)) await write(name, sql);
  };
  await become(2);
  await migrate(url, folder);
  await become(1);
  await checkMigrated(url, folder);
  assert.deepEqual(await migrate(url, folder), []);
  await become(3);
  assert.deepEqual(await migrate(url, folder), ['0003_contract']);
  await become(2);
  await checkMigrated(url, folder);
  await become(1);
  const refused = {
    name: 'MigrationError',
    message: /0003_contract, on which this version cannot/,
  };
  await assert.rejects(checkMigrated(url, folder), refused);
  await assert.rejects(migrate(url, folder), refused);
});

test('a check of the migrations changes nothing, and says in one line what is missing', async (t) => {
  const { url, folder, write, tables } = await setting(t, {
    '0001_first.sql': 'CREATE TABLE a ();',
  });
  await assert.rejects(checkMigrated(url, folder), {
    name: 'MigrationError',
    message: 'the database has no tables yet: run recollect migrate first',
  });
  assert.deepEqual(await tables(), []);
  await migrate(url, folder);
  await checkMigrated(url, folder);
  await write('0002_second.sql', 'CREATE TABLE b ();');
  await assert.rejects(checkMigrated(url, folder), {
    message: /lacks .* \(0002_second\): run rec/,
  });
  await write('0003_third.sql', 'CREATE TABLE c ();');
  await assert.rejects(checkMigrated(url, folder), { message: /\(2, from 0002_second on\)/ });
  assert.deepEqual(await tables(), ['a', 'migrations']);
});

test('a migration that cannot have a table’s lock lets others pass and tries again', async (t) => {
  const { url, folder, write } = await setting(t, { '0001_first.sql': 'CREATE TABLE a (n int);' });
  await migrate(url, folder);
  await write('0002_second.sql', 'ALTER TABLE a ADD COLUMN m int;');
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query('BEGIN; SELECT * FROM a');
  let isDone = false;
  const migrating = migrate(url, folder).finally(() => {
    isDone = true;
  });
  await sleep(1300); // the first wait for the lock is over
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query(`SET statement_timeout = '5s'; INSERT INTO a VALUES (1)`);
  await other.end();
  assert.equal(isDone, false);
  await reader.query('COMMIT');
  await reader.end();
  assert.deepEqual(await migrating, ['0002_second']);
});

test('a file that is misnamed, or has the number of another, is refused', async (t) => {
  const { url, folder, write } = await setting(t, { '1_first.sql': '' });
  await assert.rejects(migrate(url, folder), { message: /^1_first\.sql is not named/ });
  await rm(join(folder, '1_first.sql'));
  await write('0001_a.sql', '');
  await write('0001_b.sql', '');
  await assert.rejects(migrate(url, folder), { message: /^0001_b\.sql has the number/ });
});

test('of runners at the same time one applies each migration and all end well', async (t) => {
  const { url, folder } = await setting(t, {
    '0001_first.sql': 'CREATE TABLE first (); SELECT pg_sleep(0.1);',
    '0002_second.sql': 'CREATE TABLE second ();',
  });
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url, folder)));
  assert.deepEqual(applied.flat().sort(), ['0001_first', '0002_second']);
});
