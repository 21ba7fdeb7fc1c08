import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { emptyDatabase } from '../../../test-support/database.ts';
import { FIRM_ENV } from '../../../test-support/firm.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { readConfig } from '../../platform/config/config.ts';
import { openDb } from '../../platform/db/db.ts';
import { enterDatabase } from './deployment.ts';

const key = (): string => randomBytes(32).toString('base64');

/** A live service's configuration, on a database without tables. */
async function liveOnEmpty(t: TestContext) {
  const database = await emptyDatabase();
  const db = openDb(database.url, 1);
  t.after(async () => {
    await db.close();
    await database.drop();
  });
  const config = readConfig({
    MODE: 'live',
    DATABASE_URL: database.url,
    BASE_URL: 'https://pay.fernpayments.co.uk',
    TRUST_PROXY: 'none',
    BANKS_FILE: 'banks.json',
    ISSUER_URL: 'https://issuer.hillemoney.co.uk',
    ISSUER_KEY_ID: 'recollect',
    ISSUER_SECRET: key(),
    ISSUER_NOTIFICATION_SECRET: key(),
    ...FIRM_ENV,
    ENCRYPTION_KEYS: `k1:${key()}`,
    BLIND_INDEX_KEY: key(),
  });
  return {
    db,
    enter: (opening: 'start' | 'command' | 'migrate') =>
      enterDatabase(config, database.url, opening),
  };
}

test('a live service does not migrate when it starts: only migrate does', async (t) => {
  const { db, enter } = await liveOnEmpty(t);
  await assert.rejects(enter('start'), {
    message: 'the database has no tables yet: run recollect migrate first',
  });
  await assert.rejects(enter('command'), { message: /never started/ });
  const row = await db.read((tx) =>
    tx.row<{ tables: number }>(
      `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'`,
    ),
  );
  assert.equal(row?.tables, 0);
  await enter('migrate');
  await enter('start');
  await enter('command');
});

test('a live service that is newer than its database ends with one line, and so does a command', async (t) => {
  const { db, enter } = await liveOnEmpty(t);
  await enter('migrate');
  await asOwner(db, (tx) =>
    tx.run('DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations)'),
  );
  for (const opening of ['start', 'command'] as const)
    await assert.rejects(enter(opening), { message: /^[^\n]*: run recollect migrate first$/ });
});
