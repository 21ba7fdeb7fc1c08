import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminCaller, type TestAdmin, testAdmin } from '../../../test-support/admin.ts';
import { type OwnPlatform, ownPlatform } from '../../platform/http/test-platform.ts';
import { accessRoutes } from './routes.ts';

let platform: OwnPlatform;
let admin: TestAdmin;
let robin: AdminCaller;

before(async () => {
  platform = await ownPlatform();
  admin = await testAdmin(platform, accessRoutes(platform));
  robin = await admin.as('Robin Fern');
});

after(async () => {
  await admin.app.close();
  await platform.drop();
});

const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

test('whoever has no valid operator’s key gets 401, a merchant’s key and a mistyped one included', async () => {
  const mistyped = `${robin.key.slice(0, -1)}${robin.key.endsWith('0') ? '1' : '0'}`;
  for (const key of ['', 'rk_test_x', mistyped, robin.key.replace('ro_test', 'ro_live')]) {
    const { status, body } = await robin.call('GET', '/me', undefined, withKey(key));
    assert.deepEqual([status, body.error.code], [401, 'unauthorized'], key);
  }
});

test('an operator’s key has a prefix and is stored by its hash alone', async () => {
  assert.match(robin.key, /^ro_test_[0-9A-Za-z]{49}$/);
  const rows = await platform.db.read((tx) =>
    tx.rows<{ row: string }>('SELECT k::text AS row FROM operator_keys k'),
  );
  for (const { row } of rows) assert.ok(!row.includes(robin.key.slice(8, 30)));
});

test('a new operator calls with the key that is shown once, and is recorded under who made them', async () => {
  const made = await robin.must('POST', '/operators', { name: 'Sam Oak' });
  const sam = await robin.call('GET', '/me', undefined, withKey(made.secret));
  assert.equal(sam.body.name, 'Sam Oak');
  assert.equal(sam.body.created_by, 'Robin Fern');
  const keys = await robin.must('GET', `/operators/${made.operator.id}/keys`);
  assert.equal(keys.total, 1);
  assert.equal(keys.data[0].hint, made.secret.slice(-4));
  assert.ok(!JSON.stringify(keys).includes(made.secret));
  const trail = await platform.db.read((tx) =>
    tx.rows<{ actor: string; to_state: string }>(
      'SELECT actor, to_state FROM state_changes WHERE object_id = $1',
      [made.operator.id],
    ),
  );
  assert.deepEqual(trail, [{ actor: 'operator:Robin Fern', to_state: 'operator_created' }]);
});

test('a revoked key is refused from the next request on, and the operator’s other keys go on', async () => {
  const { operator, secret, key } = await robin.must('POST', '/operators', { name: 'Kim Ash' });
  const second = await robin.must('POST', `/operators/${operator.id}/keys`, { name: 'laptop' });
  await robin.must('DELETE', `/operators/${operator.id}/keys/${key.id}`);
  const me = (secretOf: string) => robin.call('GET', '/me', undefined, withKey(secretOf));
  assert.equal((await me(secret)).status, 401);
  assert.equal((await me(second.secret)).status, 200);
  const again = await robin.call('DELETE', `/operators/${operator.id}/keys/${key.id}`);
  assert.deepEqual([again.status, again.body.error.code], [404, 'not_found']);
});

test('a removed operator’s keys stop working, and nobody gets the name again', async () => {
  const { operator, secret } = await robin.must('POST', '/operators', { name: 'Lee Elm' });
  const removed = await robin.must('DELETE', `/operators/${operator.id}`);
  assert.deepEqual([removed.removed_by, removed.keys], ['Robin Fern', 0]);
  assert.equal((await robin.call('GET', '/me', undefined, withKey(secret))).status, 401);
  const again = await robin.call('POST', '/operators', { name: 'Lee Elm' });
  assert.equal(again.body.error.details.name, 'is the name of another operator, or was');
  const key = await robin.call('POST', `/operators/${operator.id}/keys`, { name: 'x' });
  assert.equal(key.status, 404);
});

test('a name with other signs is refused, naming the field', async () => {
  for (const name of ['Robin:Fern', ' ', 'x'.repeat(71), '<b>']) {
    const { status, body } = await robin.call('POST', '/operators', { name });
    assert.deepEqual([status, Object.keys(body.error.details)], [400, ['name']], name);
  }
});

test('the same Idempotency-Key makes one operator, and gets the first answer again', async () => {
  const headers = { 'idempotency-key': 'once' };
  const [first, second] = [
    await robin.call('POST', '/operators', { name: 'Pat Yew' }, headers),
    await robin.call('POST', '/operators', { name: 'Pat Yew' }, headers),
  ];
  assert.equal(first.status, 200);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers['idempotent-replayed'], 'true');
  const other = await robin.call('POST', '/operators', { name: 'Pat Yewtree' }, headers);
  assert.equal(other.body.error.code, 'idempotency_conflict');
});

test('unknown paths are 404 and other methods 405, with the envelope and a request id', async () => {
  const unknown = await robin.call('GET', '/nothing');
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'not_found']);
  const method = await robin.call('PUT', '/operators', {});
  assert.deepEqual([method.status, method.headers.allow], [405, 'GET, HEAD, POST']);
  assert.match(String(method.headers['x-request-id']), /^req_/);
});

test('the document of the operators’ API names every endpoint', async () => {
  const document = (await admin.app.inject('/admin/v1/openapi.json')).json();
  assert.equal(document.openapi, '3.1.0');
  assert.ok(Object.hasOwn(document.paths, '/admin/v1/operators/{id}/keys/{key_id}'));
});
