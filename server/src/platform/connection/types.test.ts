import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { testDatabase } from '../../../test-support/database.ts';
import { type Db, openDb, type SqlValue } from '../db/db.ts';

let db: Db;
let drop: () => Promise<void>;

before(async () => {
  const database = await testDatabase();
  db = openDb(database.url, 1);
  drop = async () => {
    await db.close();
    await database.drop();
  };
});

after(() => drop());

/** Returns what PostgreSQL reads of an array. */
async function asRead(type: string, values: readonly SqlValue[]): Promise<unknown> {
  const row = await db.read((tx) =>
    tx.row<{ read: unknown }>(`SELECT to_jsonb($1::${type}[]) AS read`, [values]),
  );
  return row?.read;
}

test('a column arrives under the name of its field, and what is in JSON as it was written', async () => {
  const row = await db.read((tx) =>
    tx.row(
      `SELECT 1 AS due_at, 2 AS "madeBy", 3 AS sha256_of_2, '{"sort_code": 1}'::jsonb AS sealed_account`,
    ),
  );
  assert.deepEqual(row, { dueAt: 1, madeBy: 2, sha256Of2: 3, sealedAccount: { sort_code: 1 } });
});

test('PostgreSQL reads an array of texts as it was given, whatever is in them', async () => {
  const texts = [
    'pay_1',
    '',
    ' ',
    'NULL',
    'null',
    'a,b',
    '{}',
    '"',
    '\\',
    '\\"',
    '"\\',
    "'",
    '\n',
    'ü€😀',
  ];
  assert.deepEqual(await asRead('text', [...texts, null]), [...texts, null]);
  const text = fc
    .string({ unit: 'binary' })
    .filter((one) => one.isWellFormed() && !one.includes('\0'));
  await fc.assert(
    fc.asyncProperty(fc.array(text), async (all) =>
      assert.deepEqual(await asRead('text', all), all),
    ),
    { numRuns: 50 },
  );
});

test('PostgreSQL reads arrays of numbers, booleans, moments, dates and bytes as they were given', async () => {
  assert.deepEqual(await asRead('bigint', [1, -2, 2 ** 53 - 1, null]), [1, -2, 2 ** 53 - 1, null]);
  assert.deepEqual(await asRead('boolean', [true, false, null]), [true, false, null]);
  assert.deepEqual(await asRead('date', [Temporal.PlainDate.from('2026-02-28')]), ['2026-02-28']);
  const at = Temporal.Instant.from('2026-02-28T10:00:00.123456Z');
  assert.deepEqual(await asRead('timestamptz', [at]), ['2026-02-28T10:00:00.123456+00:00']);
  assert.deepEqual(await asRead('bytea', [Buffer.from('"\\')]), ['\\x225c']);
});
