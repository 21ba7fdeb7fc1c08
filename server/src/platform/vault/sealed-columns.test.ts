import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { type Db, openDb } from '../db/db.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

const SRC = fileURLToPath(new URL('../../', import.meta.url));
/** Seals what is stored nowhere: a form field in the customer's own browser. */
const NOT_STORED = ['portal/journey.ts'];
/** Seals again what the table names. */
const ITSELF = ['platform/vault/rewrap.ts'];

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

test('every file that seals something is named by the table of sealed columns', async () => {
  const files = (await readdir(SRC, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const sealing = files.filter((file) =>
    /\bvault\s*\.seal\(/.test(readFileSync(SRC + file, 'utf8')),
  );
  const named = new Set(SEALED_COLUMNS.flatMap(({ sealedIn }) => sealedIn));
  assert.deepEqual(sealing.toSorted(), [...named, ...NOT_STORED, ...ITSELF].toSorted());
});

test('the table names text columns that exist, and the primary keys of their tables', async () => {
  for (const { table, column, key, also = [] } of SEALED_COLUMNS) {
    const columns = await db.read((tx) =>
      tx.rows<{ columnName: string }>(
        `SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND data_type = 'text'`,
        [table],
      ),
    );
    const names = columns.map(({ columnName }) => columnName);
    for (const one of [column, ...key, ...also]) assert.ok(names.includes(one), `${table}.${one}`);
    const primary = await db.read((tx) =>
      tx.row<{ key: string[] }>(
        `SELECT array_agg(a.attname::text ORDER BY k.place) AS key
         FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, place)
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
         WHERE i.indrelid = $1::regclass AND i.indisprimary`,
        [table],
      ),
    );
    assert.deepEqual(primary?.key, key, table);
  }
});
