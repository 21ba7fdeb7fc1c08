import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../../server/src/merchants/team/users.ts';
import { type Operator, operatorOf } from '../../server/test-support/operator.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';

let s: TestService;
let shell: Operator;
let kimsKey: string;
let danasKey: string;

before(async () => {
  s = await startTestService();
  shell = await operatorOf(s);
  const make = async (name: string): Promise<string> =>
    JSON.parse(await shell.does('operator', 'create', name)).secret;
  kimsKey = await make('Kim Ash');
  danasKey = await make('Dana Oak');
});

after(() => s.close());

const WHY = ['--reason', 'ticket 4711'];
const withKey = (key: string): Operator => shell.as('nobody', { RECOLLECT_OPERATOR_KEY: key });
const askedOf = (printed: string) => JSON.parse(printed).request;

async function person(role: 'owner' | 'developer', email: string): Promise<string> {
  const { platform } = s.running;
  const asked = { now: platform.clock.now(), merchantId: s.merchantId, actorId: 'operator:test' };
  const { userId } = await platform.db.transaction((tx) =>
    createUser(platform, { tx, ...asked }, { email, name: 'Sam Hill', role }),
  );
  return userId;
}

test('the first two operators are made in the shell; from then on it asks, and an operator agrees with their key', async () => {
  const more = ['--email', 'lee@ops.example', '--roles', 'support', ...WHY];
  const asked = askedOf(await shell.does('operator', 'create', 'Lee Elm', ...more));
  assert.deepEqual(
    [asked.kind, asked.status, asked.asked_in_shell],
    ['new_operator', 'pending', true],
  );
  const listed = () => shell.does('operator', 'list');
  assert.ok(!(await listed()).includes('Lee Elm'));
  const typed = await shell.as('Kim Ash').refused('request', 'agree', asked.id, ...WHY);
  assert.match(typed, /a name typed here can ask, and cannot agree: agree in the console/);
  const agreed = JSON.parse(await withKey(kimsKey).does('request', 'agree', asked.id, ...WHY));
  assert.equal(agreed.status, 'agreed');
  assert.ok((await listed()).includes('Lee Elm'));
});

test('a typed name agrees with no settlement account, and an operator’s key does', async () => {
  const account = ['merchant', 'account', s.merchantId];
  const wanted = [
    '--sort-code',
    '200000',
    '--account-number',
    '55779911',
    '--account-name',
    'Mule',
  ];
  const asked = JSON.parse(await shell.does(...account, ...wanted, ...WHY));
  const { id } = asked.pending_settlement_account;
  for (const name of ['Kim Ash', 'Somebody Else'])
    assert.match(
      await shell.as(name).refused(...account, '--agree', id, ...WHY),
      /agree in the console with your own key/,
    );
  const agreed = JSON.parse(await withKey(kimsKey).does(...account, '--agree', id, ...WHY));
  assert.equal(agreed.pending_settlement_account.agreed_by, 'Kim Ash');
  await shell.does(...account, '--take-back', id, ...WHY);
});

test('a key that is not valid, or that is given with a name, is refused', async () => {
  const wrong = await withKey('ro_test_wrong').refused('operator', 'list');
  assert.match(wrong, /key is not valid/);
  const both = await shell.run('--key-file', '/nowhere', 'operator', 'list');
  assert.match(both.err, /cannot be read/);
});

test('the shell shows no link to an account: a reset is asked for, and goes to the person', async () => {
  await person('owner', 'sam@fernhill.example');
  const printed = await shell.does('user', 'reset', 'sam@fernhill.example', ...WHY);
  assert.doesNotMatch(printed, /token=/);
  const { id, kind } = askedOf(printed);
  assert.equal(kind, 'user_reset');
  const agreed = await withKey(danasKey).does('request', 'agree', id, ...WHY);
  assert.doesNotMatch(agreed, /token=/);
  const mail = JSON.parse(await shell.does('sandbox', 'mail', 'sam@fernhill.example'));
  assert.ok(mail.some(({ text }: { text: string }) => /new-password\?token=/.test(text)));
  const factor = await shell.refused(
    'user',
    'reset',
    'sam@fernhill.example',
    '--second-factor',
    ...WHY,
  );
  assert.match(factor, /has no second factor/);
});

test('an owner is removed by two, and a developer at once', async () => {
  await person('owner', 'pat@fernhill.example');
  await person('developer', 'dev@fernhill.example');
  const owner = await shell.does('user', 'remove', 'pat@fernhill.example', ...WHY);
  assert.equal(askedOf(owner).kind, 'user_removal');
  const developer = JSON.parse(await shell.does('user', 'remove', 'dev@fernhill.example', ...WHY));
  assert.equal(developer.deleted, true);
});

test('operators make their own keys with a key, and the shell asks for another’s', async () => {
  const own = JSON.parse(
    await withKey(kimsKey).does('operator', 'key', 'Kim Ash', '--name', 'till'),
  );
  assert.match(own.secret, /^ro_test_/);
  const other = await withKey(kimsKey).run('operator', 'key', 'Dana Oak');
  assert.match(other.err, /Dana Oak has no address/);
  assert.doesNotMatch(other.out, /ro_test_/);
  const address = await shell.does('operator', 'email', 'Dana Oak', 'dana@ops.example');
  assert.equal(askedOf(address).kind, 'operator_email');
  const more = await shell.does('operator', 'roles', 'Lee Elm', 'support,payments', ...WHY);
  assert.equal(askedOf(more).kind, 'operator_roles');
});

test('fees above what one person sets are asked for', async () => {
  const printed = await shell.does('merchant', 'fees', s.merchantId, '--basis-points', '900');
  assert.equal(askedOf(printed).kind, 'merchant_fees');
});
