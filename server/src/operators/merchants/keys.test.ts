import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminCaller, type TestAdmin, testAdmin } from '../../../test-support/admin.ts';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { merchantKeyRoutes } from './key-routes.ts';

let h: Harness;
let admin: TestAdmin;
let robin: AdminCaller;
let path: string;

before(async () => {
  h = await openHarness('2026-03-02T10:00:00Z');
  const { platform, service } = h;
  admin = await testAdmin(
    platform,
    merchantKeyRoutes({ platform, distrustKey: service.distrustKey }),
  );
  robin = await admin.as('Robin Fern');
  path = `/merchants/${h.merchantId}/api_keys`;
});

after(async () => {
  await admin.app.close();
  await h.close();
});

const WHY = { reason: 'ticket 4711' };

test('an operator makes a key that works, revokes it for a reason, and it is refused at once', async () => {
  const made = await robin.must('POST', path, { name: 'till', scopes: ['payments'], ...WHY });
  assert.match(made.key, /^rk_test_/);
  assert.deepEqual(
    [made.name, made.scopes, made.mode, made.made_by],
    ['till', ['payments'], 'test', null],
  );
  assert.equal((await h.service.authenticate(made.key))?.merchantId, h.merchantId);
  const revoked = await robin.must('POST', `${path}/${made.id}/revoke`, { reason: 'it leaked' });
  assert.equal(revoked.revoked_at, '2026-03-02T10:00:00.000Z');
  assert.equal(await h.service.authenticate(made.key), null);
  const again = await robin.must('POST', `${path}/${made.id}/revoke`, { reason: 'again' });
  assert.deepEqual(again, revoked);
  const trail = await h.db.read((tx) =>
    tx.rows(
      'SELECT actor, to_state, reason FROM state_changes WHERE object_id = $1 ORDER BY change_id',
      [made.id],
    ),
  );
  assert.deepEqual(trail, [
    { actor: 'operator:Robin Fern', toState: 'active', reason: 'ticket 4711' },
    { actor: 'operator:Robin Fern', toState: 'revoked', reason: 'it leaked' },
  ]);
});

test('keys are listed newest first, with what they may do and never with what they are', async () => {
  h.clock.at = h.clock.at.add({ minutes: 1 });
  const { key, ...shown } = await robin.must('POST', path, { name: 'shop', ...WHY });
  const { data } = await robin.must('GET', path);
  assert.deepEqual(data[0], shown);
  assert.ok(!shown.scopes.includes('keys'));
  assert.ok(!JSON.stringify(data).includes(key));
  assert.equal((await robin.must('GET', `${path}?limit=1`)).data.length, 1);
});

test('the same Idempotency-Key makes one key', async () => {
  const headers = { 'idempotency-key': 'one-key' };
  const before = (await robin.must('GET', path)).total;
  const first = await robin.call('POST', path, { name: 'once', ...WHY }, headers);
  const again = await robin.call('POST', path, { name: 'once', ...WHY }, headers);
  assert.deepEqual([again.body, again.headers['idempotent-replayed']], [first.body, 'true']);
  assert.equal((await robin.must('GET', path)).total, before + 1);
});

test('two operators who revoke a key at the same moment record it once', async () => {
  const { id } = await robin.must('POST', path, { name: 'twice', ...WHY });
  await Promise.all(
    ['a', 'b'].map((reason) => robin.must('POST', `${path}/${id}/revoke`, { reason })),
  );
  const ends = await h.db.read((tx) =>
    tx.rows(`SELECT FROM state_changes WHERE object_id = $1 AND to_state = 'revoked'`, [id]),
  );
  assert.equal(ends.length, 1);
});

test('what is missing or wrong is named, and another merchant’s key is not found', async () => {
  const named = async (body: object) =>
    Object.keys((await robin.call('POST', path, body)).body.error.details).sort();
  assert.deepEqual(await named({}), ['name', 'reason']);
  assert.deepEqual(await named({ name: 'x', reason: ' ' }), ['reason']);
  assert.deepEqual(await named({ name: 'x', ...WHY, scopes: ['all'] }), ['scopes.0']);
  assert.deepEqual(await named({ name: 'x', ...WHY, allowed_ips: ['here'] }), ['allowed_ips.0']);
  const { id } = await robin.must('POST', path, { name: 'ours', ...WHY });
  for (const [method, wrong] of [
    ['GET', '/merchants/mer_x/api_keys'],
    ['POST', '/merchants/mer_x/api_keys'],
    ['POST', `/merchants/mer_x/api_keys/${id}/revoke`],
    ['POST', `${path}/key_x/revoke`],
  ] as const) {
    const body = wrong.endsWith('revoke') ? WHY : { name: 'x', ...WHY };
    const { status } = await robin.call(method, wrong, method === 'GET' ? undefined : body);
    assert.equal(status, 404, wrong);
  }
});
