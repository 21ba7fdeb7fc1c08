import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../test-support/database.ts';
import { TABLES } from '../platform/cluster/tables.ts';
import { type Db, openDb } from '../platform/db/db.ts';
import { CUSTOMER_DATA, NOT_OF_CUSTOMERS } from './customer-data-store.ts';

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

test('every table is classified once: it holds something of a customer, or says why it does not', () => {
  const named = [...Object.keys(CUSTOMER_DATA), ...Object.values(NOT_OF_CUSTOMERS).flat()];
  assert.deepEqual(named.toSorted(), Object.keys(TABLES).toSorted());
});

test('every column that could name a person says what erasure does with it', async () => {
  const columns = await db.read((tx) =>
    tx.rows<{ tableName: string; columnName: string }>(
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type IN ('text', 'jsonb', 'bytea', 'ARRAY') AND column_name !~ '_id$'`,
    ),
  );
  for (const [table, { erased = {}, kept = '', hidden = '' }] of Object.entries(CUSTOMER_DATA)) {
    const found = columns.filter((c) => c.tableName === table).map((c) => c.columnName);
    const said = [...Object.keys(erased), ...kept.split(' '), ...hidden.split(' ')].filter(Boolean);
    assert.deepEqual(found.toSorted(), [...new Set(said)].toSorted(), table);
  }
});
