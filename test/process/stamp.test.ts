// Slow: starts and kills whole programs.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Db, openDb } from '../../server/src/platform/db/db.ts';
import { makeSandboxClock } from '../../server/src/sandbox/clock.ts';
import { emptyBooks } from '../../server/src/sandbox/reset-store.ts';
import { emptyDatabase, type TestDatabase } from '../../server/test-support/database.ts';
import { FIRM_ENV } from '../../server/test-support/firm.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { type Ended, type Env, FREE_PORTS, recollect, recollectAlone } from './recollect.ts';

const key = (): string => randomBytes(32).toString('base64');
const [K1, K2, BLIND] = [key(), key(), key()];

let folder: string;
let live: TestDatabase;
let sandbox: TestDatabase;
let db: Db;

const sandboxEnv = (): Env => ({
  ...FREE_PORTS,
  MODE: 'sandbox',
  DATABASE_URL: sandbox.url,
  DATA_DIR: join(folder, 'sandbox'),
  ENCRYPTION_KEYS: `k1:${K1}`,
  BLIND_INDEX_KEY: BLIND,
});
const liveEnv = (): Env => ({
  MODE: 'live',
  DATABASE_URL: live.url,
  DATA_DIR: join(folder, 'live'),
  BASE_URL: 'https://pay.fernpayments.co.uk',
  TRUST_PROXY: 'none',
  BANKS_FILE: join(folder, 'banks.json'),
  ISSUER_URL: 'https://issuer.hillemoney.co.uk',
  ISSUER_KEY_ID: 'recollect',
  ISSUER_SECRET: key(),
  ISSUER_NOTIFICATION_SECRET: key(),
  ...FIRM_ENV,
  ENCRYPTION_KEYS: `k1:${K1}`,
  BLIND_INDEX_KEY: BLIND,
});

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-stamp-'));
  [live, sandbox] = [await emptyDatabase(), await emptyDatabase()];
  for (const env of [liveEnv(), sandboxEnv()])
    assert.equal((await recollectAlone(env, 'migrate')).code, 0);
  db = openDb(live.url, 2);
});
after(async () => {
  await db.close();
  await Promise.all([live.drop(), sandbox.drop()]);
  await rm(folder, { recursive: true, force: true });
});

/** Asserts that a command ends with one line that begins like this, and no stack trace. */
async function refused(env: Env, says: RegExp, ...args: string[]): Promise<void> {
  assertRefused(await recollect(env, ...args), says, ...args);
}

function assertRefused({ code, out, err }: Ended, says: RegExp, ...args: string[]): void {
  assert.notEqual(code, 0, `${args.join(' ')}: ${out}`);
  assert.equal(out, '');
  const [line = '', ...others] = err.trimEnd().split('\n');
  assert.match(line, says);
  assert.deepEqual(others, []);
}

/** Commands that open the database. */
const COMMANDS = [
  ['audit'],
  ['operator', 'create', 'Kim Ash'],
  ['operator', 'shut-out', 'Kim Ash', 'key_0000000000000000000000'],
  ['hold', 'everything', '--reason', 'so'],
  ['customer', 'reindex'],
  ['archive', 'list'],
  ['user', 'link', 'a@b.example'],
];

test('a process without MODE does not attach to a database by its address', async () => {
  const problem = /^recollect: MODE must be set where DATABASE_URL is set/;
  for (const env of [liveEnv(), sandboxEnv()]) {
    const { MODE: _, BANKS_FILE: __, ...without } = env;
    for (const args of [['start'], ['serve'], ['migrate']])
      await refused(without, problem, ...args);
    assertRefused(await recollectAlone(without, 'audit'), problem, 'audit');
  }
});

test('a sandbox does not start on a live database, nor a live service on a sandbox', async () => {
  const there = { ...sandboxEnv(), DATABASE_URL: live.url };
  const isLive = /^recollect: MODE does not fit: this database belongs to a live service/;
  for (const args of [['start'], ['serve'], ['migrate'], ...COMMANDS])
    await refused(there, isLive, ...args);
  const here = { ...liveEnv(), DATABASE_URL: sandbox.url };
  await refused(here, /^recollect: MODE does not fit: .* belongs to a sandbox/, 'migrate');
});

test('a wrong key under a known id is refused, by a start and by every command', async () => {
  const wrong = { ...sandboxEnv(), ENCRYPTION_KEYS: `k1:${key()}` };
  for (const args of [['start'], ['serve'], ['migrate'], ...COMMANDS])
    await refused(wrong, /^recollect: ENCRYPTION_KEYS has another key k1 /, ...args);
});

test('a ring without a key that the database was sealed with is refused', async () => {
  const without = { ...sandboxEnv(), ENCRYPTION_KEYS: `k9:${key()}` };
  await refused(without, /^recollect: ENCRYPTION_KEYS has no key k1, /, 'serve');
  await refused(without, /^recollect: ENCRYPTION_KEYS has no key k1, /, 'audit');
});

test('another blind index key is refused', async () => {
  const wrong = { ...sandboxEnv(), BLIND_INDEX_KEY: key() };
  await refused(wrong, /^recollect: BLIND_INDEX_KEY is not the one /, 'serve');
  await refused(wrong, /^recollect: BLIND_INDEX_KEY is not the one /, 'audit');
});

test('a sandbox whose keys are elsewhere makes no new ones', async () => {
  const { ENCRYPTION_KEYS: _, BLIND_INDEX_KEY: __, ...env } = sandboxEnv();
  const elsewhere = join(folder, 'elsewhere');
  await refused(
    { ...env, DATA_DIR: elsewhere },
    /^recollect: DATA_DIR .* has no keys[.]json/,
    'serve',
  );
  assert.equal(existsSync(join(elsewhere, 'keys.json')), false);
});

test('a key is rotated in: the old ring opens, the new one is stamped, and is then known', async () => {
  const rotated = { ...sandboxEnv(), ENCRYPTION_KEYS: `k2:${K2},k1:${K1}` };
  assert.equal((await recollect(rotated, 'audit')).code, 0);
  const other = { ...sandboxEnv(), ENCRYPTION_KEYS: `k2:${key()},k1:${K1}` };
  await refused(other, /^recollect: ENCRYPTION_KEYS has another key k2 /, 'audit');
  await refused(sandboxEnv(), /^recollect: ENCRYPTION_KEYS has no key k2, /, 'audit');
});

test('a command refuses a folder that was never started, and makes nothing in it', async () => {
  const wrong = join(folder, 'wrong');
  const env = { ...FREE_PORTS, DATA_DIR: wrong };
  const says = /^recollect: DATA_DIR .*wrong holds no database that was ever started/;
  for (const args of [['migrate'], ...COMMANDS]) await refused(env, says, ...args);
  assert.equal(existsSync(wrong), false);
  const there = await mkdtemp(join(folder, 'empty-'));
  await refused({ ...env, DATA_DIR: there }, /^recollect: DATA_DIR /, 'audit');
  assert.deepEqual(await readdir(there), []);
});

test('a command refuses a database that was never started, and makes nothing in it', async () => {
  const empty = await emptyDatabase();
  try {
    const env = { ...sandboxEnv(), DATABASE_URL: empty.url, DATA_DIR: join(folder, 'never') };
    for (const args of COMMANDS)
      await refused(
        env,
        /^recollect: DATABASE_URL names a database that was never started/,
        ...args,
      );
    assert.equal(existsSync(join(folder, 'never')), false);
    const look = openDb(empty.url, 1);
    const rows = await look.read((tx) =>
      tx.rows(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`),
    );
    await look.close();
    assert.deepEqual(rows, []);
  } finally {
    await empty.drop();
  }
});

test('the levers of a sandbox do not move a live database, whoever pulls them', async () => {
  await assert.rejects(db.transaction(emptyBooks), { code: 'forbidden' });
  await assert.rejects(makeSandboxClock(db), /stamped live/);
  const tables = await db.read((tx) =>
    tx.rows<{ name: string }>(
      `SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'never_emptied_live'`,
    ),
  );
  assert.ok(tables.length > 20);
  for (const { name } of tables)
    await assert.rejects(
      asOwner(db, (tx) => tx.run(`TRUNCATE ${name} CASCADE`)),
      /stamped live|never changed/,
      name,
    );
});

test('the stamp is never changed', async () => {
  for (const sql of [
    `UPDATE deployment SET mode = 'sandbox'`,
    'DELETE FROM deployment',
    'TRUNCATE deployment',
    `UPDATE deployment_keys SET check_value = ''`,
  ])
    await assert.rejects(
      asOwner(db, (tx) => tx.run(sql)),
      /never changed/,
      sql,
    );
});
