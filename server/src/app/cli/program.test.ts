import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { Command } from 'commander';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { openMerchant } from '../../../test-support/open-merchant.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { readConfig } from '../../platform/config/config.ts';
import { openDb } from '../../platform/db/db.ts';
import { program } from './program.ts';
import { migrateCommand } from './session/offline.ts';

let database: TestDatabase;
let dataDir: string;

before(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'recollect-cli-'));
  const env = { MODE: 'sandbox', DATABASE_URL: database.url, DATA_DIR: dataDir };
  await migrateCommand(readConfig(env));
});

after(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true });
});

/** Runs the command line in this process; returns what it printed. */
async function run(t: TestContext, args: string[], env: object = {}): Promise<string> {
  let printed = '';
  const real = process.stdout.write.bind(process.stdout);
  // The test runner reports on the same stream, in bytes.
  const write = t.mock.method(process.stdout, 'write', (said: string | Uint8Array) => {
    if (typeof said !== 'string') return real(said);
    printed += said;
    return true;
  });
  try {
    const all = { MODE: 'sandbox', DATABASE_URL: database.url, DATA_DIR: dataDir, ...env };
    await program(all).parseAsync(args, { from: 'user' });
    return printed;
  } finally {
    write.mock.restore();
  }
}

/** Parses arguments with actions that do nothing; returns commander's error message. */
function refusal(...args: string[]): string {
  const silence = (command: Command): void => {
    command
      .exitOverride()
      .configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    for (const sub of command.commands) silence(sub);
  };
  const root = program({});
  silence(root);
  try {
    root.parse(args, { from: 'user' });
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test('every command says what it is for', () => {
  const check = (command: Command): void => {
    assert.notEqual(command.description(), '', command.name());
    for (const sub of command.commands) check(sub);
  };
  check(program({}));
  assert.match(
    program({}).helpInformation(),
    /serve.*migrate.*audit.*operator.*bank.*hold.*sandbox/s,
  );
});

test('what is missing or unknown is refused by name, before anything is done', () => {
  assert.match(refusal('operator', 'create'), /name/);
  assert.match(
    refusal('operator', 'create', 'Kim', '--roles', 'cook'),
    /Allowed choices are auditor/,
  );
  assert.match(refusal('hold', 'everything'), /--reason/);
  assert.match(refusal('sandbox', 'advance'), /by-or-to/);
  assert.match(refusal('user', 'link'), /email/);
  assert.match(refusal('colect'), /unknown command 'colect'/);
  assert.match(refusal('audit', '--fix'), /unknown option '--fix'/);
  assert.match(refusal('serve', '--engine', 'two'), /set ENGINES/);
});

test('a wrong configuration is told before anything is opened', async (t) => {
  await assert.rejects(run(t, ['migrate'], { PORT: 'x' }), {
    name: 'ConfigError',
    message: /^PORT /,
  });
  await assert.rejects(run(t, ['serve', '--roles', 'cook']), { message: /^ROLES / });
});

test('migrate brings the database up to date, and again', async (t) => {
  assert.equal(await run(t, ['migrate']), 'the database is up to date\n');
  assert.equal(await run(t, ['migrate']), 'the database is up to date\n');
});

/** Runs SQL that no command runs. */
async function byHand(sql: string): Promise<void> {
  const db = openDb(database.url, 1);
  try {
    await asOwner(db, (tx) => tx.run(sql));
  } finally {
    await db.close();
  }
}

test('audit tells of the other laws where one cannot be checked, which is an exit code, too', async (t) => {
  await byHand('ALTER TABLE settlements RENAME TO mislaid');
  try {
    const told = await run(t, ['audit']);
    assert.match(
      told,
      /^unknown {2}settlements-equal-payments: .*\n {11}it could not be checked: .* \(unknown since 20\d\d-.*Z\)$/m,
    );
    const law = "'settlements-equal-payments', '', '2026-01-05T06:00:00Z', '2026-01-05T07:00:00Z'";
    await byHand(
      `INSERT INTO law_findings (law, sentence, unknown_since, checked_at) VALUES (${law})`,
    );
    const later = await run(t, ['audit']);
    assert.match(
      later,
      /it could not be checked: .* \(unknown since 2026-01-05T06:00:00\.000Z\)$/m,
    );
    assert.match(told, /^holds {4}debits-equal-credits: /m);
    assert.doesNotMatch(told, /^BROKEN/m);
    assert.equal(process.exitCode, 1);
  } finally {
    process.exitCode = undefined;
    await byHand('ALTER TABLE mislaid RENAME TO settlements');
  }
});

test('audit names every law and how it stands; one that is broken is an exit code', async (t) => {
  await openMerchant(
    readConfig({ MODE: 'sandbox', DATABASE_URL: database.url, DATA_DIR: dataDir }),
  );
  const fine = await run(t, ['audit']);
  assert.match(fine, /^holds {4}debits-equal-credits: /);
  assert.ok(fine.trimEnd().split('\n').length >= 8);
  assert.equal(process.exitCode, undefined);
  await byHand(`UPDATE accounts SET balance_pence = 5 WHERE kind = 'merchant_wallet'`);
  const broken = await run(t, ['audit']);
  assert.equal(process.exitCode, 1);
  process.exitCode = undefined;
  assert.match(broken, /^BROKEN {3}debits-equal-credits: .*\n {11}mer_\w+ is off by 5$/m);
});

test('the sandbox commands say so where no sandbox has run', async (t) => {
  const empty = join(dataDir, 'empty');
  for (const args of [['clock'], ['accounts'], ['advance', 'P1M'], ['consent', 'sch_1']])
    await assert.rejects(run(t, ['sandbox', ...args], { DATA_DIR: empty }), {
      name: 'ConfigError',
      message: /no sandbox has run in .*: start it with npm start/,
    });
});
