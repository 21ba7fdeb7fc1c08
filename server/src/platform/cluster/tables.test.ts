import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { type Db, openDb } from '../db/db.ts';
import { TABLES } from './tables.ts';

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

test('every table of the database has a place on a cluster', async () => {
  const found = await db.read((tx) =>
    tx.rows<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    ),
  );
  assert.deepEqual(found.map(({ name }) => name).sort(), Object.keys(TABLES).sort());
});

test('a distributed table has its merchant first in every key, and names only what lies beside it', async () => {
  const spread = Object.entries(TABLES).filter(([, place]) => place === 'distributed');
  const reachable = Object.keys(TABLES).filter((name) => TABLES[name as never] !== 'local');
  const wrong = await db.read((tx) =>
    tx.rows<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint k
       WHERE conrelid::regclass::text = ANY ($1)
         AND (contype IN ('p', 'u', 'f') AND (SELECT attname FROM pg_attribute WHERE attrelid = conrelid AND attnum = conkey[1])
           <> 'merchant_id' OR contype = 'f' AND confrelid::regclass::text <> ALL ($2))`,
      [spread.map(([name]) => name), reachable],
    ),
  );
  assert.deepEqual(wrong, []);
});
