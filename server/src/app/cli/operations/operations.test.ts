import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Command } from 'commander';
import { testDatabase } from '../../../../test-support/database.ts';
import { BE_OWNER } from '../../../../test-support/owner.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { openDb } from '../../../platform/db/db.ts';
import { addCustomers } from '../merchants/customers.ts';
import { migrateCommand } from '../session/offline.ts';
import { addArchive } from './archive.ts';
import { addBanks } from './banks.ts';
import { addOperations } from './operations.ts';

interface Ran {
  code: unknown;
  /** What it printed about an error. */
  said: string;
}

/** Runs a command on an empty database. */
const run = async (t: TestContext, ...args: string[]): Promise<Ran> =>
  (await commands(t)).run(...args);

/** Returns an empty database, and a function that runs commands on it, with these files beside the data. */
async function commands(
  t: TestContext,
  files: Readonly<Record<string, string>> = {},
): Promise<{
  url: string;
  run(...args: string[]): Promise<Ran & { printed: string }>;
}> {
  const database = await testDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'recollect-operations-'));
  const before = process.exitCode;
  t.after(async () => {
    process.exitCode = before;
    await database.drop();
    await rm(dataDir, { recursive: true });
  });
  for (const [name, text] of Object.entries(files)) await writeFile(join(dataDir, name), text);
  const config = readConfig({
    MODE: 'sandbox',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    ISSUER_URL: 'http://127.0.0.1:9',
    ISSUER_KEY_ID: 'k',
    ISSUER_SECRET: 's',
    ISSUER_NOTIFICATION_SECRET: 'n',
    ...('banks.json' in files && { BANKS_FILE: join(dataDir, 'banks.json') }),
  });
  await migrateCommand(config);
  const once = async (...args: string[]) => {
    const texts = { stdout: '', stderr: '' };
    const mocks = (['stdout', 'stderr'] as const).map((name) =>
      t.mock.method(process[name], 'write', (text: string) => {
        texts[name] += text;
        return true;
      }),
    );
    const root = new Command('recollect').exitOverride();
    addOperations(root, () => config);
    addBanks(root, {}, () => config);
    addCustomers(root, () => config);
    addArchive(root, () => config);
    try {
      await root.parseAsync(args, { from: 'user' });
      return { code: process.exitCode, said: texts.stderr, printed: texts.stdout };
    } finally {
      process.exitCode = before;
      for (const mock of mocks) mock.mock.restore();
    }
  };
  return { url: database.url, run: once };
}

test('what is refused is one line and exit code 1', async (t) => {
  const payment = await run(t, 'payment', 'fail', 'pay_x', '--reason', 'the bank said so');
  assert.deepEqual(
    [payment.code, payment.said],
    [1, 'recollect: not done: there is no payment pay_x\n'],
  );
  for (const what of ['erase', 'export']) {
    const { code, said } = await run(t, 'customer', what, 'cus_x', '--reason', 'asked to');
    assert.deepEqual([code, said], [1, 'recollect: not done: there is no customer cus_x\n']);
  }
  const payIn = await run(t, 'unallocated', 'return', 'mv_x', '--reason', 'asked to');
  assert.deepEqual(
    [payIn.code, payIn.said],
    [1, 'recollect: not done: there is no unallocated money mv_x\n'],
  );
});

test('neither is done without a reason', async (t) => {
  await assert.rejects(run(t, 'payment', 'fail', 'pay_x'), /--reason/);
  await assert.rejects(run(t, 'unallocated', 'return', 'mv_x'), /--reason/);
});

test('bank list shows how the service stands with each bank, and bank trust releases one', async (t) => {
  const { url, run: command } = await commands(t);
  const none = await command('bank', 'list');
  assert.deepEqual([none.code, JSON.parse(none.printed)], [undefined, []]);
  await assert.rejects(command('bank', 'trust', 'alder'), /--reason/);
  const db = openDb(url, 1);
  t.after(() => db.close());
  const since = Temporal.Instant.from('2026-01-05T09:30:00Z');
  await db.transaction(async (tx) => {
    // The consent has no terms here: the list does not use them.
    await tx.run(BE_OWNER);
    await tx.run('ALTER TABLE consents DROP CONSTRAINT consents_of_terms');
    await tx.run(
      `INSERT INTO consents (merchant_id, consent_id, schedule_id, customer_id, terms_version, status, link_hash, link,
         link_expires_at, bank_id, bank_consent_id, control_parameters, created_at, doubted_at)
       VALUES ('mer_1', 'con_1', 'sch_1', 'cus_1', 1, 'granted', 'h', 'l', $1, 'alder', 'b', '{}', $1, $1)`,
      [since],
    );
    await tx.run(
      `INSERT INTO bank_distrusts (bank_id, since, vanished, looked_at) VALUES ('alder', $1, 7, 9)`,
      [since],
    );
    await tx.run(
      `INSERT INTO bank_conditions (bank_id, operation, condition, since, recent, failed_at, failing_since)
       VALUES ('alder', 'payment', 'down', $1, 'xxx', $1, $1)`,
      [since],
    );
  });
  const [alder] = JSON.parse((await command('bank', 'list')).printed);
  assert.deepEqual([alder.bank_id, alder.consents_in_doubt], ['alder', 1]);
  assert.match(alder.distrusted_since, /^2026-01-05T09:30:00/);
  assert.deepEqual([alder.condition, alder.since], ['down', '2026-01-05T09:30:00.000Z']);
  const nothing = { payments: 0, merchants: 0, amount: { value: 0, currency: 'GBP' }, since: null };
  assert.deepEqual(alder.waiting, nothing);
  const trust = ['bank', 'trust', 'alder', '--reason', 'Ms Hill at the bank'];
  const done = await command(...trust);
  assert.equal(done.code, undefined, done.said);
  assert.match(done.printed, /alder is trusted again/);
  const again = await command(...trust);
  assert.deepEqual(
    [again.code, again.said],
    [1, 'recollect: not done: alder is already trusted\n'],
  );
  const row = await db.read((tx) =>
    tx.row<{ endedBy: string }>('SELECT ended_by FROM bank_distrusts'),
  );
  assert.match(row?.endedBy ?? '', /: Ms Hill at the bank$/);
});

test('bank list shows a connection to Modulr of the banks’ file, without its secret', async (t) => {
  const entry = {
    kind: 'modulr',
    bank_id: 'modulr',
    base_url: 'https://modulr.test/api',
    key_id: 'KEY-1',
    secret_file: 'secret',
    merchant_category_code: '4899',
  };
  const { run: command } = await commands(t, {
    'banks.json': JSON.stringify({ banks: [entry] }),
    secret: 'never shown',
  });
  const { printed, said } = await command('bank', 'list');
  assert.equal(said, '');
  const [listed] = JSON.parse(printed);
  assert.deepEqual(listed.connection, {
    kind: 'modulr',
    base_url: entry.base_url,
    key_id: entry.key_id,
    vrp_type: 'UK.OBIE.VRPType.CVRP1',
    funds_confirmation: true,
  });
  assert.ok(!printed.includes('never shown'));
});

test('the archive of a database without history is empty, and a wrong order names its fields', async (t) => {
  const { run: command } = await commands(t);
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
