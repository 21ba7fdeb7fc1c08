import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Command } from 'commander';
import { testDatabase } from '../../../../test-support/database.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { migrateCommand } from '../session/offline.ts';
import { addArchive } from './archive.ts';

interface Ran {
  code: unknown;
  printed: string;
  /** What it printed about an error. */
  said: string;
}

/** Returns a function that runs commands on an empty database. */
async function commands(t: TestContext): Promise<(...args: string[]) => Promise<Ran>> {
  const database = await testDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'recollect-operations-'));
  const before = process.exitCode;
  t.after(async () => {
    process.exitCode = before;
    await database.drop();
    await rm(dataDir, { recursive: true });
  });
  const config = readConfig({ MODE: 'sandbox', DATABASE_URL: database.url, DATA_DIR: dataDir });
  await migrateCommand(config);
  return async (...args) => {
    const texts = { stdout: '', stderr: '' };
    const mocks = (['stdout', 'stderr'] as const).map((name) =>
      t.mock.method(process[name], 'write', (text: string) => {
        texts[name] += text;
        return true;
      }),
    );
    const root = new Command('recollect').exitOverride();
    addArchive(root, () => config);
    try {
      await root.parseAsync(args, { from: 'user' });
      return { code: process.exitCode, said: texts.stderr, printed: texts.stdout };
    } finally {
      process.exitCode = before;
      for (const mock of mocks) mock.mock.restore();
    }
  };
}

test('the archive of a database without history is empty, and a wrong order names its fields', async (t) => {
  const command = await commands(t);
  const order = (...options: string[]) => command('archive', 'run', ...options);
  await assert.rejects(order('--months', '2', '--folder', 'here'), (error: Error) => {
    const { details } = error as Error & { details?: object };
    assert.deepEqual(Object.keys(details ?? {}), ['months', 'folder']);
    return true;
  });
  await assert.rejects(order('--months', 'few', '--folder', '/tmp'), { code: 'invalid_request' });
  await assert.rejects(order('--months', '24', '--folder', '/nowhere'), {
    details: { folder: 'must be a folder that is there' },
  });
  await assert.rejects(command('archive', 'show', 'Kim'), { code: 'invalid_request' });
  const ran = await order('--months', '24', '--folder', '/tmp');
  assert.deepEqual([ran.code, ran.printed], [undefined, 'nothing is to be archived\n']);
  assert.deepEqual((await command('archive', 'list')).printed, '');
  assert.equal((await command('archive', 'verify')).printed, 'every file is as it was written\n');
  const none = await command('archive', 'show', 'pay_0000000000000000000000');
  assert.deepEqual(
    [none.code, none.said],
    [1, 'recollect: not done: no archive has pay_0000000000000000000000\n'],
  );
});
