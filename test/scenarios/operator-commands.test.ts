import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Operator, operatorOf } from '../../server/test-support/operator.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';

// A walk through the commands of the running service. What each of its endpoints does is tested beside them.

let s: TestService;
let robin: Operator;
let kim: Operator;

before(async () => {
  s = await startTestService();
  robin = await operatorOf(s, 'Robin Fern');
  kim = await operatorOf(s, 'Kim Ash');
});

after(() => s.close());

const WHY = ['--reason', 'ticket 4711'];

test('a merchant suspended on the command line gets 409 from the running service, and sees since when', async () => {
  assert.match(
    await robin.does('merchant', 'suspend', s.merchantId, ...WHY),
    /^suspended.by +Robin Fern$/m,
  );
  const body = {
    amount: { value: 100, currency: 'GBP' },
    frequency: 'monthly',
    customer: { phone: '+447700900123' },
    description: 'Gym',
  };
  const refused = await s.api<{ error: { code: string } }>('POST', '/api/v1/schedules', body);
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'merchant_suspended']);
  const { body: merchant } = await s.api('GET', '/api/v1/merchant');
  assert.match(String(merchant.suspended_since), /^2026-01-05T/);
  await robin.does('merchant', 'resume', s.merchantId, ...WHY);
  assert.equal((await s.api('POST', '/api/v1/schedules', body)).status, 200);
});

test('what takes two operators is asked for with one key and agreed with by another, and the command says how', async () => {
  const asked = await robin.run(
    ...['operator', 'invite', '--name', 'Lee Elm', '--email', 'lee@ops.example'],
    ...['--roles', 'support', 'auditor', ...WHY],
  );
  const id = /^id +(orq_\w+)$/m.exec(asked.out)?.[1] ?? '';
  assert.match(
    asked.err,
    new RegExp(`waits for a second operator, .* recollect request agree ${id} `),
  );
  assert.match(await robin.refused('request', 'agree', id, ...WHY), /another person has to agree/);
  const [listed] = (await kim.gets('request', 'list')).data;
  assert.deepEqual([listed.id, listed.asked_by], [id, 'Robin Fern']);
  assert.equal((await kim.gets('request', 'agree', id, ...WHY)).status, 'agreed');
  const mail = JSON.parse(await robin.does('sandbox', 'mail', 'lee@ops.example'));
  assert.equal(mail.length, 1);
  const lee = (await robin.gets('operator', 'list')).data.find(
    ({ name }: { name: string }) => name === 'Lee Elm',
  );
  assert.deepEqual(lee.roles, ['auditor', 'support']);
});

test('a settlement account is asked for, agreed with and taken back, by its fields', async () => {
  const { pending_settlement_account: asked } = await robin.gets(
    ...['merchant', 'account', s.merchantId, '--settlement-account-name', 'Fernhill Ltd'],
    ...[
      '--settlement-account-sort-code',
      '200000',
      '--settlement-account-number',
      '55779911',
      ...WHY,
    ],
  );
  assert.deepEqual(
    [asked.name, asked.sort_code, asked.account_number],
    ['Fernhill Ltd', '200000', '55779911'],
  );
  const change = [s.merchantId, '--change-id', asked.id, ...WHY];
  const agreed = await kim.gets('merchant', 'agree-account', ...change);
  assert.equal(agreed.pending_settlement_account.agreed_by, 'Kim Ash');
  const gone = await kim.gets('merchant', 'take-back-account', ...change);
  assert.equal(gone.pending_settlement_account, null);
});

test('a key says who acts, from a file too; without one, or with one that is not valid, nothing is done', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-key-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'key');
  await writeFile(file, `${kim.key}\n`);
  assert.match(await robin.does('--key-file', file, 'operator', 'me'), /^name +Kim Ash$/m);
  const byFile = robin.with({ RECOLLECT_OPERATOR_KEY_FILE: file });
  assert.match(await byFile.does('operator', 'me'), /^name +Kim Ash$/m);
  const gone = await robin.refused('--key-file', join(folder, 'none'), 'operator', 'me');
  assert.match(gone, /^recollect: the key file .*none cannot be read \(ENOENT\)$/);
  const wrong = robin.with({ RECOLLECT_OPERATOR_KEY: 'ro_test_wrong' });
  assert.match(await wrong.refused('operator', 'me'), /key is not valid/);
  const nobody = robin.with({ RECOLLECT_OPERATOR_KEY: '' });
  assert.match(
    await nobody.refused('operator', 'me'),
    /^recollect: your key says who you are: name its file by/,
  );
});

test('a key of one’s own is made and revoked on the command line, and opens nothing afterwards', async () => {
  const made = JSON.parse(
    (await robin.run('operator', 'new-key', await idOfRobin(), '--name', 'laptop', '--json')).out,
  );
  const laptop = robin.with({ RECOLLECT_OPERATOR_KEY: made.secret });
  await laptop.does('operator', 'me');
  await laptop.does('operator', 'revoke', 'Robin Fern', made.key.id);
  assert.match(await laptop.refused('operator', 'me'), /key is not valid/);
});

const idOfRobin = async (): Promise<string> => (await robin.gets('operator', 'me')).id;
