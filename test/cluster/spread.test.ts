import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TABLES } from '../../server/src/platform/cluster/tables.ts';
import { type Db, openDb } from '../../server/src/platform/db/db.ts';
import { migrate } from '../../server/src/platform/db/migrate.ts';
import { type TestDatabase, testDatabase } from '../../server/test-support/database.ts';
import { schemaText } from '../../server/test-support/schema.ts';

const SCHEMA = fileURLToPath(new URL('../../server/schema.sql', import.meta.url));
const AT = '2026-03-02T10:00:00Z';
const [MINE, OTHER] = ['mer_0000000000000000000001', 'mer_0000000000000000000002'];
const REFUSED = { code: '42501' };

let database: TestDatabase;
let db: Db;

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 4);
  for (const merchantId of [MINE, OTHER])
    await db.transaction(async (tx) => {
      await tx.run(
        `INSERT INTO merchants (merchant_id, name, legal_name, email, website, address, terms, settlement_account, created_at)
         VALUES ($1, 'n', 'n', 'e', 'w', 'a', 't', 'sealed', $2)`,
        [merchantId, AT],
      );
      await tx.run(
        `INSERT INTO accounts (merchant_id, account_id, kind) VALUES ($1, 'a', 'outside')`,
        [merchantId],
      );
    });
});

after(async () => {
  await db.close();
  await database.drop();
});

test('every table lies where it belongs, the distributed ones in one colocation group', async () => {
  const rows = await db.read((tx) =>
    tx.rows<{ name: string; place: string; column: string | null; colocation: number }>(
      `SELECT table_name::text AS name, citus_table_type AS place, colocation_id AS colocation,
         nullif(distribution_column, '<none>') AS column
       FROM citus_tables`,
    ),
  );
  const expected = Object.entries(TABLES).filter(([, place]) => place !== 'local');
  assert.deepEqual(
    rows.map(({ name, place }) => `${name} ${place}`).sort(),
    expected.map(([name, place]) => `${name} ${place}`).sort(),
  );
  const distributed = rows.filter(({ place }) => place === 'distributed');
  assert.deepEqual(new Set(distributed.map(({ column }) => column)), new Set(['merchant_id']));
  assert.equal(new Set(distributed.map(({ colocation }) => colocation)).size, 1);
});

/**
 * What a cluster has not, beside what is its own: triggers against TRUNCATE, and keys to people whom the API's role may not
 * read.
 */
const DIFFERENT =
  /^CREATE TRIGGER never_|EXTENSION|pg_dist_|CONSTRAINT (?:members|user_links)_of_user /;

test('keys, checks, indexes, policies, rights and views are those of a single node', async () => {
  const comparable = (schema: string): string[] =>
    schema
      .split('\n')
      .filter((line) => line !== '' && !DIFFERENT.test(line))
      .map((line) => line.replace(/,$/, ''));
  assert.deepEqual(
    comparable(await schemaText(database.url)),
    comparable(readFileSync(SCHEMA, 'utf8')),
  );
});

test('what is spread already stays as it is', async () => {
  assert.deepEqual(await migrate(database.url), []);
});

test('a merchant is confined on the workers too: no other one is seen or written', async () => {
  const seen = await db.forMerchant(MINE, (tx) =>
    tx.rows<{ merchantId: string }>('SELECT merchant_id FROM accounts'),
  );
  assert.deepEqual(seen, [{ merchantId: MINE }]);
  const find = `SELECT account_id FROM accounts WHERE merchant_id = $1`;
  assert.equal(await db.forMerchant(MINE, (tx) => tx.run(find, [OTHER])), 0);
  assert.equal(await db.forMerchant(OTHER, (tx) => tx.run(find, [OTHER]), { onlyReads: true }), 1);
  const change = `UPDATE accounts SET kind = 'owed' WHERE merchant_id = $1`;
  assert.equal(await db.forMerchant(MINE, (tx) => tx.run(change, [OTHER])), 0);
  const insert = `INSERT INTO accounts (merchant_id, account_id, kind) VALUES ($1, 'b', 'outside')`;
  await assert.rejects(
    db.forMerchant(MINE, (tx) => tx.run(insert, [OTHER])),
    REFUSED,
  );
});

test('nobody who serves changes what is written once, and the engine sees every merchant', async () => {
  assert.equal(await db.read((tx) => tx.run('SELECT FROM accounts')), 2);
  for (const sql of ['UPDATE transfers SET kind = kind', 'DELETE FROM state_changes'])
    for (const run of [
      () => db.transaction((tx) => tx.run(`${sql} WHERE merchant_id = $1`, [MINE])),
      () => db.forMerchant(MINE, (tx) => tx.run(`${sql} WHERE merchant_id = $1`, [MINE])),
    ])
      await assert.rejects(run, REFUSED, sql);
});

test('the actor of a transaction reaches the audit trail of the worker', async () => {
  const insert = `INSERT INTO state_changes (merchant_id, object_id, to_state, reason, at) VALUES ($1, 'o', 's', 'r', $2)
     RETURNING actor`;
  const actor = { actor: `member:o'hara` };
  const row = await db.forMerchant(MINE, (tx) => tx.row(insert, [MINE, AT]), actor);
  assert.deepEqual(row, actor);
});

test('what belongs to one merchant is one task on one node, and joined there', async () => {
  const plan = await db.transaction((tx) =>
    tx.row<{ 'QUERY PLAN': unknown }>(
      `EXPLAIN (FORMAT JSON) SELECT p.payment_id, s.description, m.name FROM payments p
       JOIN schedules s USING (merchant_id, schedule_id) JOIN merchants m USING (merchant_id) WHERE p.merchant_id = $1`,
      [MINE],
    ),
  );
  assert.match(JSON.stringify(plan), /"Task Count":1,/);
});
