import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminCaller, type TestAdmin, testAdmin } from '../../../test-support/admin.ts';
import { type OwnPlatform, ownPlatform } from '../../../test-support/slices/platform.ts';
import { makeAuthenticator } from '../../merchants/keys/authenticator.ts';
import { merchantRoutes } from './routes.ts';

let platform: OwnPlatform;
let admin: TestAdmin;
let robin: AdminCaller;

before(async () => {
  platform = await ownPlatform();
  admin = await testAdmin(platform, merchantRoutes(platform));
  robin = await admin.as('Robin Fern');
});

after(async () => {
  await admin.app.close();
  await platform.drop();
});

const BODY = {
  name: 'Elm Gym',
  email: 'help@elm.example',
  website: 'https://elm.example',
  address: '1 Elm Row, York',
  terms: 'Cancel at any time.',
  settlement_account: { name: 'Elm Gym Ltd', sort_code: '08-99-99', account_number: '66374958' },
};

const create = (fields: object = {}) => robin.must('POST', '/merchants', { ...BODY, ...fields });

test('a merchant is created with its wallet, a key that works, and a link for its first owner', async () => {
  const owner = { email: 'Owner@elm.example', name: 'Sam Elm' };
  const made = await create({ owner });
  assert.deepEqual(made.merchant.settlement_account, {
    name: 'Elm Gym Ltd',
    sort_code: '••••99',
    account_number: '••••4958',
  });
  assert.equal(made.merchant.legal_name, 'Elm Gym');
  const caller = await makeAuthenticator(platform).authenticate(made.api_key);
  assert.equal(caller?.merchantId, made.merchant.id);
  assert.equal(made.owner.email, 'owner@elm.example');
  assert.match(made.owner.url, /^http/);
  const rows = await platform.db.read((tx) =>
    tx.rows('SELECT FROM wallets WHERE merchant_id = $1', [made.merchant.id]),
  );
  assert.equal(rows.length, 1);
});

test('wrong fields of a new merchant are all named, and nothing is created', async () => {
  const before = await robin.must('GET', '/merchants');
  const { status, body } = await robin.call('POST', '/merchants', {
    ...BODY,
    email: 'nobody',
    website: 'elm',
    colour: 'red',
  });
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(body.error.details).sort(), ['colour', 'email', 'website']);
  assert.equal((await robin.must('GET', '/merchants')).total, before.total);
});

test('an owner who cannot be added leaves no merchant behind', async () => {
  const before = await robin.must('GET', '/merchants');
  const owner = { email: 'nobody', name: 'Sam Elm' };
  const { status, body } = await robin.call('POST', '/merchants', { ...BODY, owner });
  assert.deepEqual([status, Object.keys(body.error.details)], [400, ['email']]);
  assert.equal((await robin.must('GET', '/merchants')).total, before.total);
});

test('merchants are found by id and by a part of name or email address, in any case', async () => {
  const { merchant } = await create({ name: 'Wild_Garlic 100%', email: 'hello@garlic.example' });
  for (const q of [merchant.id, 'garlic', 'D_GARLIC 100%', 'hello@garlic']) {
    const { data } = await robin.must('GET', `/merchants?q=${encodeURIComponent(q)}`);
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [merchant.id],
      q,
    );
  }
  assert.equal((await robin.must('GET', '/merchants?q=nothing-like-it')).total, 0);
});

test('a hold shows who gave it, why and since when, and giving it again changes nothing', async () => {
  const { id } = (await create()).merchant;
  const blank = await robin.call('POST', `/merchants/${id}/suspend`, { reason: '  ' });
  assert.equal(blank.status, 400, 'blanks are no reason');
  const first = await robin.must('POST', `/merchants/${id}/suspend`, { reason: 'fraud alert' });
  assert.deepEqual(first.suspended, {
    since: '2026-03-02T10:00:00.000Z',
    by: 'Robin Fern',
    reason: 'fraud alert',
  });
  const kim = await admin.as('Kim Ash');
  const again = await kim.must('POST', `/merchants/${id}/suspend`, { reason: 'me too' });
  assert.deepEqual(again.suspended, first.suspended);
  const held = await robin.must('GET', '/merchants?hold=suspended');
  assert.deepEqual(
    held.data.map((one: { id: string; suspended: object }) => [one.id, one.suspended]),
    [[id, first.suspended]],
  );
  const resumed = await kim.must('POST', `/merchants/${id}/resume`, { reason: 'cleared' });
  assert.equal(resumed.suspended, null);
  const trail = await platform.db.read((tx) =>
    tx.rows('SELECT actor, to_state, reason FROM state_changes WHERE object_id = $1', [id]),
  );
  assert.deepEqual(trail, [
    { actor: 'operator:Robin Fern', toState: 'suspended', reason: 'fraud alert' },
    { actor: 'operator:Kim Ash', toState: 'resumed', reason: 'cleared' },
  ]);
});

test('two operators who suspend a merchant at the same moment give one hold', async () => {
  const { id } = (await create()).merchant;
  await Promise.all(
    ['a', 'b', 'c'].map((reason) => robin.must('POST', `/merchants/${id}/suspend`, { reason })),
  );
  const rows = await platform.db.read((tx) =>
    tx.rows('SELECT FROM merchant_holds WHERE merchant_id = $1', [id]),
  );
  assert.equal(rows.length, 1);
});

test('a decision needs a reason, and a merchant that exists', async () => {
  const { id } = (await create()).merchant;
  const without = await robin.call('POST', `/merchants/${id}/hold_pay_outs`, {});
  assert.deepEqual([without.status, Object.keys(without.body.error.details)], [400, ['reason']]);
  const unknown = await robin.call('POST', '/merchants/mer_x/suspend', { reason: 'x' });
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'not_found']);
});

test('fees are set from a day on, and shown oldest first', async () => {
  const { id } = (await create()).merchant;
  await robin.must('POST', `/merchants/${id}/fees`, { fixed_pence: 5, from: '2026-04-01' });
  const shown = await robin.must('POST', `/merchants/${id}/fees`, { basis_points: 20 });
  assert.deepEqual(shown.fees, [
    { fixed_pence: 0, basis_points: 20, from: '2026-03-03T00:00:00.000Z' },
    { fixed_pence: 5, basis_points: 0, from: '2026-03-31T23:00:00.000Z' },
  ]);
  const wrong = await robin.call('POST', `/merchants/${id}/fees`, { from: 'soon' });
  assert.deepEqual(Object.keys(wrong.body.error.details), ['from']);
});

test('what the scheme knows of a merchant is changed by field, for a reason that the activity keeps', async () => {
  const { id, scheme } = (await create()).merchant;
  assert.deepEqual(scheme, {
    use_case: null,
    category_code: null,
    payment_context: 'merchant_initiated',
    purpose_code: null,
  });
  const change = (fields: object) => robin.call('PUT', `/merchants/${id}/scheme`, fields);
  const reason = 'their letter of 2 March';
  const first = await change({ use_case: 'utilities', category_code: '4899', reason });
  const second = await change({ purpose_code: 'UBIL', category_code: '4900', reason });
  assert.deepEqual(second.body.scheme, {
    ...first.body.scheme,
    category_code: '4900',
    purpose_code: 'UBIL',
  });
  await change({ category_code: '4900', reason: 'nothing new' });
  const cleared = await change({ use_case: null, reason });
  assert.equal(cleared.body.scheme.use_case, null);
  const trail = await platform.db.read((tx) =>
    tx.rows<{ actor: string; reason: string }>(
      'SELECT actor, reason FROM state_changes WHERE object_id = $1 ORDER BY change_id',
      [id],
    ),
  );
  assert.deepEqual(
    trail.map((line) => `${line.actor}: ${line.reason}`),
    [
      `operator:Robin Fern: use case from none to utilities, category code from none to 4899: ${reason}`,
      `operator:Robin Fern: category code from 4899 to 4900, purpose code from none to UBIL: ${reason}`,
      `operator:Robin Fern: use case from utilities to none: ${reason}`,
    ],
  );
});

test('what the scheme could not know is refused by its field, and nothing changes', async () => {
  const { id, scheme } = (await create()).merchant;
  const wrong = {
    use_case: 'gambling',
    category_code: '48990',
    payment_context: null,
    purpose_code: 'subs',
    colour: 'red',
  };
  const { status, body } = await robin.call('PUT', `/merchants/${id}/scheme`, wrong);
  assert.equal(status, 400);
  assert.deepEqual(
    Object.keys(body.error.details).sort(),
    [...Object.keys(wrong), 'reason'].sort(),
  );
  const shown = await robin.must('GET', `/merchants/${id}`);
  assert.deepEqual(shown.scheme, scheme);
  const unknown = await robin.call('PUT', '/merchants/mer_x/scheme', { reason: 'x' });
  assert.equal(unknown.status, 404);
});
