import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Command } from 'commander';
import { testDatabase } from '../../../test-support/database.ts';
import { readConfig } from '../../platform/config.ts';
import { migrateCommand } from './offline.ts';
import { addOperations } from './operations.ts';

/** Runs a command over an empty database; answers its exit code and what it said of an error. */
async function run(t: TestContext, ...args: string[]): Promise<{ code: unknown; said: string }> {
  const database = await testDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'recollect-operations-'));
  const before = process.exitCode;
  t.after(async () => {
    process.exitCode = before;
    await database.drop();
    await rm(dataDir, { recursive: true });
  });
  let said = '';
  const stderr = t.mock.method(process.stderr, 'write', (text: string) => {
    said += text;
    return true;
  });
  const config = readConfig({
    MODE: 'sandbox',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    ISSUER_URL: 'http://127.0.0.1:9',
    ISSUER_KEY_ID: 'k',
    ISSUER_SECRET: 's',
    ISSUER_NOTIFICATION_SECRET: 'n',
  });
  await migrateCommand(config);
  const root = new Command('recollect').exitOverride();
  addOperations(root, () => config);
  try {
    await root.parseAsync(args, { from: 'user' });
    return { code: process.exitCode, said };
  } finally {
    process.exitCode = before;
    stderr.mock.restore();
  }
}

test('what is refused is one line and exit code 1', async (t) => {
  assert.deepEqual(await run(t, 'payment', 'fail', 'pay_x', '--reason', 'the bank said so'), {
    code: 1,
    said: 'recollect: not done: there is no payment pay_x\n',
  });
  assert.deepEqual(await run(t, 'pay-in', 'returned', 'mv_x', '--reason', 'asked to'), {
    code: 1,
    said: 'recollect: not done: there is no unallocated money mv_x\n',
  });
});

test('neither is done without a reason', async (t) => {
  await assert.rejects(run(t, 'payment', 'fail', 'pay_x'), /--reason/);
  await assert.rejects(run(t, 'pay-in', 'returned', 'mv_x'), /--reason/);
});
