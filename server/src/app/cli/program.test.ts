import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { Command } from 'commander';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { FERNHILL_OPTIONS } from '../../../test-support/merchant.ts';
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
    /serve.*migrate.*audit.*merchant.*key.*user.*sandbox/s,
  );
});

test('what is missing or unknown is refused by name, before anything is done', () => {
  assert.match(refusal('merchant', 'create', '--email', 'a@b.example'), /--name/);
  assert.match(refusal('key', 'create'), /merchant_id/);
  assert.match(refusal('key', 'revoke', 'mer_x', '--reason', 'x'), /key_id/);
  assert.match(refusal('key', 'revoke', 'mer_x', 'key_x'), /--reason/);
  assert.match(refusal('sandbox', 'advance'), /by-or-to/);
  assert.match(refusal('user', 'create', 'mer_x', '--email', 'a@b.example'), /--name/);
  assert.match(refusal('user', 'create', 'mer_x', '--role', 'cook'), /Allowed choices are owner/);
  assert.match(refusal('user', 'link'), /email/);
  assert.match(refusal('colect'), /unknown command 'colect'/);
  assert.match(refusal('audit', '--fix'), /unknown option '--fix'/);
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

test('a merchant is made with a key that is shown once, and its keys can be added and revoked', async (t) => {
  const made = JSON.parse(await run(t, ['merchant', 'create', ...FERNHILL_OPTIONS])) as Record<
    string,
    string
  >;
  const merchantId = made.merchant_id ?? '';
  assert.match(merchantId, /^mer_[0-9A-Za-z]{22}$/);
  assert.match(made.api_key ?? '', /^rk_test_/);
  const key = JSON.parse(await run(t, ['key', 'create', merchantId, '--name', 'till'])) as {
    api_key: string;
  };
  assert.match(key.api_key, /^rk_test_/);
  assert.notEqual(key.api_key, made.api_key);

  const db = openDb(database.url, 1);
  try {
    const sql = `SELECT key_id, name, revoked_at IS NOT NULL AS revoked
      FROM api_keys WHERE merchant_id = $1 ORDER BY key_id`;
    const keys = () =>
      db.read((tx) =>
        tx.rows<{ keyId: string; name: string; revoked: boolean }>(sql, [merchantId]),
      );
    const [first, till] = await keys();
    assert.deepEqual([first?.name, till?.name], ['first key', 'till']);
    await run(t, ['key', 'revoke', merchantId, till?.keyId ?? '', '--reason', 'it leaked']);
    const found = async (...words: string[]): Promise<string[]> =>
      JSON.parse(await run(t, ['merchant', 'list', ...words])).map((one: { id: string }) => one.id);
    assert.ok((await found()).includes(merchantId));
    assert.deepEqual(await found(merchantId), [merchantId]);
    assert.deepEqual(await found(merchantId, '--hold', 'suspended'), []);
    assert.deepEqual(await found('nobody of this name'), []);
    const listed = JSON.parse(await run(t, ['key', 'list', merchantId]));
    assert.deepEqual(
      listed.map((one: { name: string; mode: string }) => [one.name, one.mode]),
      [
        ['till', 'test'],
        ['first key', 'test'],
      ],
    );
    assert.doesNotMatch(JSON.stringify(listed), /rk_test_/);
    assert.deepEqual(
      (await keys()).map((row) => row.revoked),
      [false, true],
    );
    const wallet = await db.read((tx) =>
      tx.row('SELECT status FROM wallets WHERE merchant_id = $1', [merchantId]),
    );
    assert.deepEqual(wallet, { status: 'planned' });
  } finally {
    await db.close();
  }
});

test('a name that is typed asks for another settlement account, with a reason, and never agrees', async (t) => {
  const { merchant_id: id } = JSON.parse(
    await run(t, ['merchant', 'create', ...FERNHILL_OPTIONS]),
  ) as { merchant_id: string };
  const as = async (operator: string, ...options: string[]) =>
    JSON.parse(await run(t, ['--operator', operator, 'merchant', 'account', id, ...options]))
      .pending_settlement_account;
  const why = ['--reason', 'Ms Elm by phone'];
  const account = ['--sort-code', '200000', '--account-number', '55779911'];
  const whole = [...account, '--account-name', 'Fernhill Ltd'];
  assert.equal(await as('Ms Hill'), null);
  await assert.rejects(as('Ms Hill', ...account, ...why), /go together/);
  await assert.rejects(as('Ms Hill', ...whole), /--reason/);
  const asked = await as('Ms Hill', ...whole, ...why);
  assert.deepEqual([asked.by, asked.waits_for_second], ['Ms Hill', true]);
  for (const name of ['ms  hill', 'Mr Dale'])
    await assert.rejects(
      as(name, '--agree', asked.id, ...why),
      /agree in the console with your own/,
    );
  await assert.rejects(as('Ms Hill', '--agree', 'a', '--take-back', 'b'), /only one of them/);
  assert.equal(await as('Ms Hill', '--take-back', asked.id, ...why), null);
});

test('what the scheme knows of a merchant is shown and changed on the command line', async (t) => {
  const { merchant_id: id } = JSON.parse(
    await run(t, ['merchant', 'create', ...FERNHILL_OPTIONS]),
  ) as { merchant_id: string };
  const scheme = async (...options: string[]) =>
    JSON.parse(await run(t, ['--operator', 'Ms Hill', 'merchant', 'scheme', id, ...options]));
  const unsaid = {
    merchant_id: id,
    use_case: null,
    category_code: null,
    payment_context: 'merchant_initiated',
    purpose_code: null,
  };
  assert.deepEqual(await scheme(), unsaid);
  const why = ['--reason', 'their letter'];
  await assert.rejects(scheme('--purpose-code', 'UBIL'), /--reason/);
  await assert.rejects(scheme('--category-code', '12', ...why), /--category-code cannot be 12/);
  await assert.rejects(scheme('--payment-context', 'none', ...why), /--payment-context cannot be/);
  const said = ['--use-case', 'utilities', '--category-code', '4900', '--purpose-code', 'UBIL'];
  assert.deepEqual(await scheme(...said, '--payment-context', 'billing_in_arrears', ...why), {
    merchant_id: id,
    use_case: 'utilities',
    category_code: '4900',
    payment_context: 'billing_in_arrears',
    purpose_code: 'UBIL',
  });
  const shown = await scheme('--category-code', 'none', ...why);
  assert.deepEqual([shown.category_code, shown.purpose_code], [null, 'UBIL']);
});

test('people are put on a team, get a link to set a password, another to sign in, and are listed', async (t) => {
  const json = async <T>(...args: string[]): Promise<T> => JSON.parse(await run(t, args)) as T;
  const made = await json<{ merchant_id: string; next: string }>(
    'merchant',
    'create',
    ...FERNHILL_OPTIONS,
  );
  assert.match(made.next, new RegExp(`^recollect user create ${made.merchant_id} `));
  const person = ['--email', 'Kim@Fernhill.example', '--name', 'Kim'];
  const user = await json<Record<string, string>>(
    ...['user', 'create', made.merchant_id, ...person, '--role', 'finance'],
  );
  assert.match(user.user_id ?? '', /^usr_/);
  assert.equal(user.email, 'kim@fernhill.example');
  assert.match(
    user.url ?? '',
    /^http:\/\/localhost:4000\/dashboard\/new-password\?token=[\w-]{43}$/,
  );
  const link = await json<Record<string, string>>('user', 'link', 'Kim@fernhill.example');
  assert.match(link.url ?? '', /\/dashboard\/auth\/sign-in-link\?token=[\w-]{43}$/);
  const [listed, ...others] = await json<Record<string, unknown>[]>(
    ...['user', 'list', made.merchant_id],
  );
  assert.deepEqual(others, []);
  assert.deepEqual([listed?.name, listed?.role, listed?.two_factor], ['Kim', 'finance', false]);
});

test('nobody is put on a team that there is not, and a link is for somebody who is there', async (t) => {
  const person = ['--email', 'kim@fernhill.example', '--name', 'Kim'];
  const nobody = 'mer_0000000000000000000000';
  await assert.rejects(run(t, ['user', 'create', nobody, ...person]), { code: 'not_found' });
  await assert.rejects(run(t, ['user', 'list', nobody]), { code: 'not_found' });
  await assert.rejects(run(t, ['user', 'link', 'nobody@fernhill.example']), { code: 'not_found' });
});

test('wrong details of a merchant are named as the API names them', async (t) => {
  const args = [
    'merchant',
    'create',
    ...FERNHILL_OPTIONS,
    '--sort-code',
    '1',
    '--return-url',
    'nowhere',
  ];
  await assert.rejects(run(t, args), (error: Error & { details?: object }) => {
    assert.deepEqual(Object.keys(error.details ?? {}).sort(), [
      'return_url',
      'settlement_account.sort_code',
    ]);
    return true;
  });
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
