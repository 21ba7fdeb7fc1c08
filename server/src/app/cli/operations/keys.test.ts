import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../../../test-support/database.ts';
import { asOwner } from '../../../../test-support/owner.ts';
import { type Config, ConfigError, readConfig } from '../../../platform/config/config.ts';
import { openDb } from '../../../platform/db/db.ts';
import { makeVault } from '../../../platform/vault/vault.ts';
import { migrateCommand } from '../session/offline.ts';
import { retireKeyCommand } from './keys-work.ts';

const key = () => randomBytes(32).toString('base64');

/** Returns a database started with one key, and configurations for rings of two keys. */
async function started(t: TestContext) {
  const database = await testDatabase();
  t.after(() => database.drop());
  const keys = { k1: key(), k2: key() };
  const blindIndex = key();
  const ring = (...ids: (keyof typeof keys)[]): Config =>
    readConfig({
      MODE: 'sandbox',
      DATABASE_URL: database.url,
      ENCRYPTION_KEYS: ids.map((id) => `${id}:${keys[id]}`).join(','),
      BLIND_INDEX_KEY: blindIndex,
    });
  await migrateCommand(ring('k1'));
  await migrateCommand(ring('k2', 'k1'));
  const vault = makeVault(new Map([['k1', Buffer.from(keys.k1, 'base64')]]), randomBytes(32));
  return { url: database.url, ring, seal: () => vault.seal('x', 'c') };
}

test('a key under which nothing is sealed is retired, and a process then starts without it', async (t) => {
  const { ring } = await started(t);
  await assert.rejects(migrateCommand(ring('k2')), ConfigError, 'before, it has to be there');
  const said = await retireKeyCommand(ring('k2', 'k1'), 'k1');
  assert.equal(said.isDone, true, said.line);
  await migrateCommand(ring('k2'));
});

test('a key under which anything is sealed stays, wherever that is', async (t) => {
  const { url, ring, seal } = await started(t);
  const db = openDb(url, 1);
  t.after(() => db.close());
  await asOwner(db, async (tx) => {
    await tx.run('CREATE TABLE made_later (secret text)');
    await tx.run('GRANT ALL ON made_later TO recollect_engine');
  });
  await db.transaction((tx) =>
    tx.run('INSERT INTO made_later VALUES ($1), ($1), (NULL)', [seal()]),
  );
  assert.deepEqual(await retireKeyCommand(ring('k2', 'k1'), 'k1'), {
    line: 'rows are still encrypted with k1: made_later.secret 2',
    isDone: false,
  });
  await assert.rejects(migrateCommand(ring('k2')), ConfigError);
});

test('the key that seals, and one that is not in the ring, are not retired', async (t) => {
  const { ring } = await started(t);
  const seals = await retireKeyCommand(ring('k1', 'k2'), 'k1');
  assert.equal(seals.isDone, false);
  assert.match(seals.line, /is the key in use for encryption/);
  const unknown = await retireKeyCommand(ring('k2', 'k1'), 'k3');
  assert.deepEqual(unknown, { line: 'ENCRYPTION_KEYS has no key k3', isDone: false });
});
