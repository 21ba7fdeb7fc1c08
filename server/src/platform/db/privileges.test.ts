import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { asOwner, BE_OWNER } from '../../../test-support/owner.ts';
import { type Db, openDb } from './db.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let db: Db;

before(async () => {
  database = await testDatabase();
  db = openDb(database.url, 4);
});

after(async () => {
  await db.close();
  await database.drop();
});

const WRITTEN_ONCE = [
  'transfers',
  'schedule_terms',
  'state_changes',
  'events',
  'consent_looks',
  'consent_limit_changes',
  'imported_lines',
  'let_ins',
];
const REFUSED = { code: '42501' };
const changesOf = (table: string): string[] => [
  `UPDATE ${table} SET merchant_id = merchant_id`,
  `DELETE FROM ${table}`,
  `TRUNCATE ${table} CASCADE`,
];
const MERCHANT = 'mer_0000000000000000000001';

test('what is written once is neither changed nor removed, by the engine or by the API', async () => {
  for (const table of WRITTEN_ONCE)
    for (const sql of changesOf(table)) {
      await assert.rejects(
        db.transaction((tx) => tx.run(sql)),
        REFUSED,
        sql,
      );
      await assert.rejects(
        db.read((tx) => tx.run(sql)),
        REFUSED,
        sql,
      );
      await assert.rejects(
        db.forMerchant(MERCHANT, (tx) => tx.run(sql)),
        REFUSED,
        sql,
      );
      await db.transaction(async (tx) => {
        await tx.run(BE_OWNER);
        await tx.run(sql); // there is a right to refuse
      });
    }
});

test('the engine sees the rows of every table, and changes all others', async () => {
  const wrong = await db.read((tx) =>
    tx.rows<{ name: string }>(
      `SELECT relname AS name FROM pg_class c
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT (
         has_table_privilege('recollect_engine', oid, 'SELECT')
         AND (relkind = 'v' OR relname = ANY ($1) OR has_table_privilege('recollect_engine', oid, 'INSERT')
           AND has_table_privilege('recollect_engine', oid, 'UPDATE') AND has_table_privilege('recollect_engine', oid, 'DELETE'))
         AND (NOT relrowsecurity OR EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid AND polname = 'whole_service')))`,
      [[...WRITTEN_ONCE, 'migrations']],
    ),
  );
  assert.deepEqual(wrong, []);
});

/** What the API reads although it is not confined to a merchant, and why nobody learns anything of another one. */
const OF_NO_MERCHANT: Readonly<Record<string, string>> = {
  archives:
    'which days of the audit trail and of deliveries are in the archive, and no row of them',
  bank_conditions: 'how a bank answers everybody',
  bank_stops: 'which banks are stopped, and neither who stopped them nor why',
  law_findings: 'how each law stands for the whole service, and not what breaks it',
  sandbox_clock: 'the time of the sandbox',
};

test('what the API may read is confined to one merchant, or is listed with a reason', async () => {
  const open = await db.read((tx) =>
    tx.rows<{ name: string }>(
      `SELECT relname AS name FROM pg_class c
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
         AND has_any_column_privilege('recollect_api', oid, 'SELECT')
         AND NOT (CASE WHEN relkind = 'v'
           THEN coalesce(reloptions, '{}') && ARRAY['security_invoker=true', 'security_barrier=true']
           ELSE relrowsecurity AND NOT EXISTS (
             SELECT FROM pg_policy p WHERE polrelid = c.oid AND polcmd IN ('r', '*')
               AND polroles && ARRAY['recollect_api'::regrole::oid, 0]
               AND pg_get_expr(polqual, polrelid) NOT LIKE '%recollect.merchant_id%') END)
       ORDER BY 1`,
    ),
  );
  assert.deepEqual(
    open.map(({ name }) => name),
    Object.keys(OF_NO_MERCHANT),
  );
});

test('the API does not read what breaks a law, which names other merchants', async () => {
  await assert.rejects(
    db.forMerchant(MERCHANT, (tx) => tx.run('SELECT detail FROM law_findings')),
    REFUSED,
  );
});

test('a table that came later is opened to the engine by the next migration', async () => {
  await asOwner(db, async (tx) => {
    await tx.run('CREATE TABLE later (merchant_id text)');
    await tx.run('ALTER TABLE later ENABLE ROW LEVEL SECURITY');
  });
  await assert.rejects(
    db.read((tx) => tx.run('SELECT FROM later')),
    REFUSED,
  );
  assert.deepEqual(await migrate(database.url), []);
  await db.transaction((tx) => tx.run(`INSERT INTO later VALUES ('mer_1')`));
  assert.equal(await db.read((tx) => tx.run('SELECT FROM later')), 1);
  await asOwner(db, (tx) => tx.run('DROP TABLE later'));
});

test('the service runs under a login that owns nothing, and so cannot take its rights back', async () => {
  const login = `service_${randomBytes(4).toString('hex')}`;
  await asOwner(db, (tx) => tx.run(`CREATE ROLE ${login} LOGIN PASSWORD 'service'`));
  await asOwner(db, (tx) => tx.run(`GRANT recollect_engine, recollect_api TO ${login}`));
  const url = new URL(database.url);
  url.username = login;
  url.password = 'service';
  const service = openDb(url.href, 2);
  try {
    assert.deepEqual(await migrate(url.href), []); // up to date: nothing to own
    assert.equal(await service.transaction((tx) => tx.run('SELECT FROM transfers')), 0);
    assert.equal(await service.forMerchant(MERCHANT, (tx) => tx.run('SELECT FROM transfers')), 0);
    for (const sql of ['DELETE FROM transfers', 'ALTER TABLE transfers OWNER TO recollect_engine'])
      await assert.rejects(
        service.transaction(async (tx) => {
          await tx.run(BE_OWNER);
          await tx.run(sql);
        }),
        REFUSED,
        sql,
      );
  } finally {
    await service.close();
    await asOwner(db, (tx) => tx.run(`DROP ROLE ${login}`));
  }
});

test('a sandbox is emptied by the one function that may, and a live database is not', async () => {
  const empty = (): Promise<number> =>
    db.transaction((tx) => tx.run('SELECT empty_tables($1)', [['transfers']]));
  await empty();
  await db.transaction((tx) =>
    tx.run(`INSERT INTO deployment (deployment_id, mode) VALUES ('d', 'live')`),
  );
  await assert.rejects(empty(), /stamped live/);
  await assert.rejects(
    db.forMerchant(MERCHANT, (tx) => tx.run('SELECT empty_tables($1)', [['transfers']])),
    REFUSED,
  );
});
