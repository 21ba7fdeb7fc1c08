import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { refusalOf } from '../../server/test-support/dashboard-visitor.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { type TeamMember, teamMember } from '../../server/test-support/team-member.ts';

/** Held by Fernhill Broadband Ltd in the sandbox: docs/guides/test-every-failure.md. */
const ACCOUNT = { sort_code: '20-00-00', account_number: '44444444' };
const PATH = '/api/settlement_account';

let service: TestService;
before(async () => {
  service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
  await service.advance('PT1M'); // opens the wallet that a check is made from
});
after(() => service.close());

const checked = ({ visitor }: TeamMember, account: object) =>
  visitor.call('POST', `${PATH}/checks`, account);
const ask = ({ visitor, proof }: TeamMember, account: object) =>
  visitor.call('POST', `${PATH}/changes`, { ...account, ...proof() });
const confirm = ({ visitor, proof }: TeamMember, id: string) =>
  visitor.call('POST', `${PATH}/changes/${id}/confirm`, proof());
const pendingOf = (body: Record<string, unknown>) => Object(body.pending);
const merchant = async () => (await service.api('GET', '/api/v1/merchant')).body;
const verdictOf = (check: unknown) => {
  const { result, bank_name, reason } = Object(check);
  return [result, bank_name, reason];
};

test('each answer can be had in the sandbox, and only a close match tells whose account it is', async () => {
  const owner = await teamMember(service);
  for (const [account_number, name, ...expected] of [
    ['12345678', 'Anybody Ltd', 'match', null, null],
    ['44444444', 'Fernhill Broadband Limited', 'match', null, null],
    ['44444444', 'Fernhill Broadband', 'close_match', 'Fernhill Broadband Ltd', null],
    ['44444444', 'Mule', 'no_match', null, null],
    ['99999999', 'Anybody Ltd', 'no_match', null, 'no_such_account'],
    ['33333333', 'Anybody Ltd', 'unavailable', null, 'bank_takes_no_part'],
    ['88888888', 'Anybody Ltd', 'unavailable', null, 'no_answer'],
  ]) {
    const { status, body } = await checked(owner, { ...ACCOUNT, account_number, name });
    assert.deepEqual([status, ...verdictOf(body)], [200, ...expected], `${account_number} ${name}`);
  }
  await service.advance('PT25H');
});

test('what the bank said goes with the change to the second owner, who confirms it; it locks nobody out', async () => {
  const [owner, second] = [await teamMember(service), await teamMember(service)];
  const mule = { ...ACCOUNT, name: 'Mule' };
  const before = await checked(owner, mule);
  const asked = await ask(owner, mule);
  assert.equal(asked.status, 200, JSON.stringify(asked.body));
  const mine = pendingOf(asked.body).payee_check;
  assert.deepEqual(mine, before.body, 'the check of a moment ago is the one that is recorded');

  const seen = pendingOf((await second.visitor.call('GET', PATH)).body);
  assert.deepEqual(verdictOf(seen.payee_check), ['no_match', null, null]);
  const api = Object((await merchant()).pending_settlement_account).payee_check;
  assert.deepEqual(api, mine, 'API callers see it too');
  assert.doesNotMatch(JSON.stringify([seen, api]), /Fernhill Broadband Ltd/, 'not whose it is');

  const activity = JSON.stringify((await owner.visitor.call('GET', '/api/activity')).body);
  assert.match(activity, /Name on a bank account checked/);
  assert.match(activity, /Mule ••••00 ••••4444, name check: no match/);
  assert.match(activity, /Settlement account change requested/);
  const own = refusalOf(await confirm(owner, seen.id));
  assert.equal(own.status, 403, 'the pair is still asked for');
  const done = await confirm(second, seen.id);
  assert.equal(done.status, 200, 'no match is a reason to look twice, and no lock');
  const [change] = done.body.changes as Record<string, unknown>[];
  assert.deepEqual(
    [change?.status, ...verdictOf(change?.payee_check)],
    ['in_force', 'no_match', null, null],
  );
});

test('a check that nobody made is made with the change, and one that cannot be made stops nothing', async () => {
  const owner = await teamMember(service);
  for (const [account_number, result] of [
    ['12345671', 'match'],
    ['88888888', 'unavailable'],
  ] as const) {
    const asked = await ask(owner, { ...ACCOUNT, account_number, name: 'Fernhill Gym Ltd' });
    assert.equal(asked.status, 200, JSON.stringify(asked.body));
    assert.equal(pendingOf(asked.body).payee_check.result, result);
  }
});

test('only an owner who may ask for another account has names checked, and of fields that fit', async () => {
  const account = { ...ACCOUNT, name: 'Fernhill Broadband' };
  const nobody = [
    [await teamMember(service, { role: 'finance' }), 'forbidden'],
    [await teamMember(service, { isNewcomer: true }), 'forbidden'],
    [await teamMember(service, { hasFactor: false }), 'second_factor_required'],
  ] as const;
  for (const [member, code] of nobody) {
    const refused = refusalOf(await checked(member, account));
    assert.deepEqual([refused.status, refused.code], [403, code]);
  }
  const owner = await teamMember(service);
  const wrong = refusalOf(await checked(owner, { ...account, sort_code: '12', name: '鈴木' }));
  assert.deepEqual([wrong.status, Object.keys(wrong.details).sort()], [400, ['name', 'sort_code']]);
  const none = refusalOf(await checked(owner, {}));
  assert.deepEqual([none.status, Object.keys(none.details).length], [400, 3]);
});
