import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { emptyDatabase, type TestDatabase } from '../../server/test-support/database.ts';
import { type Env, recollect } from './recollect.ts';

// How the program itself ends; the output of each command is tested within one process, beside a running service.

let database: TestDatabase;
let env: Env;

before(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'recollect-commands-'));
  database = await emptyDatabase();
  env = { MODE: 'sandbox', DATA_DIR: dataDir, DATABASE_URL: database.url };
  assert.equal((await recollect(env, 'migrate')).code, 0);
});
after(async () => {
  await database.drop();
  await rm(env.DATA_DIR ?? '', { recursive: true, force: true });
});

test('a command that is done ends with 0 and says so on standard output', async () => {
  const { code, out, err } = await recollect(env, 'customer', 'reindex');
  assert.deepEqual([code, out, err], [0, '0 customers and 0 schedules indexed\n', '']);
});

test('a command that is refused ends with 1 and one line on standard error', async () => {
  const release = ['release', 'everything', '--held-for', 'x', '--reason', 'y'];
  const { code, out, err } = await recollect(env, ...release);
  const line = 'recollect: not done: nothing is held for the reason "x"\n';
  assert.deepEqual([code, out, err], [1, '', line]);
});

test('a command of a service that does not run ends with 1, and with one line that names its address', async () => {
  const away = { ...env, RECOLLECT_OPERATOR_URL: 'http://127.0.0.1:9' };
  const { code, out, err } = await recollect(away, 'settlement', 'waiting');
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^recollect: nothing answers at http:\/\/127\.0\.0\.1:9 .*\n$/);
});

test('a command whose arguments are wrong ends with 1 and names the argument', async () => {
  const { code, out, err } = await recollect(env, 'hold', 'everything');
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^error: required option '--reason <text>' not specified\n/);
});
