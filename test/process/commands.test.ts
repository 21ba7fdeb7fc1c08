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
  const { code, out, err } = await recollect(env, 'unallocated', 'list');
  assert.deepEqual([code, out, err], [0, '[]\n', '']);
});

test('a command that is refused ends with 1 and one line on standard error', async () => {
  const { code, out, err } = await recollect(
    env,
    'settlement',
    'confirm',
    'set_x',
    '--reason',
    'r',
  );
  const line = 'recollect: not done: no settlement set_x waits for its account\n';
  assert.deepEqual([code, out, err], [1, '', line]);
  const shown = await recollect(env, 'unallocated', 'show', 'una_x');
  assert.deepEqual(
    [shown.code, shown.out, shown.err],
    [1, '', 'recollect: there is no unallocated money una_x\n'],
  );
});

test('a command whose arguments are wrong ends with 1 and names the argument', async () => {
  const { code, out, err } = await recollect(env, 'payment', 'fail', 'pay_x');
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^error: required option '--reason <text>' not specified\n/);
});
