import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminCaller, type TestAdmin, testAdmin } from '../../../test-support/admin.ts';
import { type OwnPlatform, ownPlatform } from '../../../test-support/slices/platform.ts';
import { requestRoutes } from '../requests/routes.ts';
import { accessRoutes } from './routes.ts';

let platform: OwnPlatform;
let admin: TestAdmin;
let robin: AdminCaller;
let kim: AdminCaller;

before(async () => {
  platform = await ownPlatform();
  admin = await testAdmin(platform, [...accessRoutes(platform), ...requestRoutes(platform)]);
  robin = await admin.as('Robin Fern');
  kim = await admin.as('Kim Ash');
});

after(async () => {
  await admin.app.close();
  await platform.drop();
});

const WHY = { reason: 'ticket 4711' };
const withKey = (key: string) => ({ authorization: `Bearer ${key}` });
const me = async (key: string) => (await robin.call('GET', '/me', undefined, withKey(key))).status;
const ownKey = (who: AdminCaller, more: object = {}) =>
  who.must('POST', `/operators/${who.operatorId}/keys`, { name: 'laptop', ...more });

test('whoever has no valid operator’s key gets 401, a merchant’s key and a mistyped one included', async () => {
  const mistyped = `${robin.key.slice(0, -1)}${robin.key.endsWith('0') ? '1' : '0'}`;
  for (const key of ['', 'rk_test_x', mistyped, robin.key.replace('ro_test', 'ro_live'), 'os_x']) {
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

test('an operator makes their own keys, shown once, and nobody makes a key for another', async () => {
  const made = await ownKey(robin);
  assert.equal(await me(made.secret), 200);
  const keys = await robin.must('GET', `/operators/${robin.operatorId}/keys`);
  assert.equal(keys.data[0].hint, made.secret.slice(-4));
  assert.ok(!JSON.stringify(keys).includes(made.secret));
  const forKim = await robin.call('POST', `/operators/${kim.operatorId}/keys`, { name: 'x' });
  assert.deepEqual([forKim.status, forKim.body.error.code], [403, 'forbidden']);
  assert.match(forKim.body.error.message, /made by that operator alone/);
});

test('a key ends after 90 days at most, and is refused from then on', async () => {
  const { key } = await ownKey(robin);
  const days = (of: { expires_at: string; created_at: string }) =>
    (Date.parse(of.expires_at) - Date.parse(of.created_at)) / 86_400_000;
  assert.equal(days(key), 90);
  const short = await ownKey(robin, { days: 7 });
  assert.equal(days(short.key), 7);
  const long = await robin.call('POST', `/operators/${robin.operatorId}/keys`, {
    name: 'long',
    days: 91,
  });
  assert.equal(long.status, 400);
  await platform.db.transaction((tx) =>
    tx.run(`UPDATE operator_keys SET expires_at = now() - interval '1 second' WHERE key_id = $1`, [
      short.key.id,
    ]),
  );
  assert.equal(await me(short.secret), 401);
});

test('a key that the previous version made without an end is valid for 90 days', async () => {
  const { secret, key } = await ownKey(robin);
  const age = (days: number) =>
    platform.db.transaction((tx) =>
      tx.run(
        `UPDATE operator_keys SET expires_at = NULL, created_at = now() - $2 * interval '1 day' WHERE key_id = $1`,
        [key.id, days],
      ),
    );
  await age(89);
  assert.equal(await me(secret), 200);
  await age(91);
  assert.equal(await me(secret), 401);
});

test('a key that is bound to addresses is refused from elsewhere', async () => {
  const here = await ownKey(robin, { allowed_ips: ['127.0.0.1'] });
  assert.equal(await me(here.secret), 200);
  const elsewhere = await ownKey(robin, { allowed_ips: ['203.0.113.0/24'] });
  const { status, body } = await robin.call('GET', '/me', undefined, withKey(elsewhere.secret));
  assert.deepEqual([status, body.error.code], [403, 'address_not_allowed']);
  const wrong = await robin.call('POST', `/operators/${robin.operatorId}/keys`, {
    name: 'x',
    allowed_ips: ['0.0.0.0/0'],
  });
  assert.deepEqual(Object.keys(wrong.body.error.details), ['allowed_ips.0']);
});

test('a revoked key is refused from the next request on, and the operator’s other keys go on', async () => {
  const [first, second] = [await ownKey(kim), await ownKey(kim)];
  await kim.must('DELETE', `/operators/${kim.operatorId}/keys/${first.key.id}`);
  assert.deepEqual([await me(first.secret), await me(second.secret)], [401, 200]);
  const again = await kim.call('DELETE', `/operators/${kim.operatorId}/keys/${first.key.id}`);
  assert.deepEqual([again.status, again.body.error.code], [404, 'not_found']);
});

test('another operator’s key is revoked by one of security, and by nobody else', async () => {
  const { key } = await ownKey(kim);
  const path = `/operators/${kim.operatorId}/keys/${key.id}`;
  const reader = await admin.as('Pat Yew', ['auditor', 'support', 'payments']);
  const refused = await reader.call('DELETE', path);
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden']);
  assert.match(refused.body.error.message, /the role security/);
  await robin.must('DELETE', path);
});

test('a removed operator’s keys stop working, and nobody gets the name again or one that looks like it', async () => {
  const lee = await admin.as('Lee Elm');
  const removed = await robin.must('DELETE', `/operators/${lee.operatorId}`);
  assert.deepEqual([removed.removed_by, removed.keys], ['Robin Fern', 0]);
  assert.equal(await me(lee.key), 401);
  for (const name of ['Lee Elm', 'lee elm', 'Leе Elm', 'Léé-Elm', 'Lee  Elm']) {
    const again = await robin.call('POST', '/operators', {
      name,
      email: 'lee@fern.example',
      roles: ['auditor'],
      ...WHY,
    });
    assert.deepEqual([again.status, Object.keys(again.body.error.details)], [400, ['name']], name);
  }
  const sent = await robin.call('POST', `/operators/${lee.operatorId}/first_key`, WHY);
  assert.equal(sent.status, 404);
});

test('one of security removes another, but never one of the last two, and a newcomer removes nobody', async () => {
  const own = await ownPlatform();
  const small = await testAdmin(own, [...accessRoutes(own), ...requestRoutes(own)]);
  try {
    const [a, b, c] = [await small.as('Ann'), await small.as('Bob'), await small.as('Cid')];
    await a.must('DELETE', `/operators/${c.operatorId}`);
    for (const id of [a.operatorId, b.operatorId]) {
      const last = await a.call('DELETE', `/operators/${id}`);
      assert.deepEqual([last.status, last.body.error.code], [409, 'operation_refused']);
    }
    const roles = { roles: ['payments'], ...WHY };
    const demoted = await a.call('PUT', `/operators/${b.operatorId}/roles`, roles);
    assert.equal(demoted.body.error?.code, 'operation_refused');
  } finally {
    await small.app.close();
    await own.drop();
  }
});

test('one takes no last key and no last address from another of the last two, and takes the last but one', async () => {
  const own = await ownPlatform();
  const small = await testAdmin(own, [...accessRoutes(own), ...requestRoutes(own)]);
  const { consoleSignIn } = own.config;
  try {
    const [a, b] = [await small.as('Ann'), await small.as('Bob')];
    const spare = await ownKey(b);
    const path = `/operators/${b.operatorId}/keys`;
    const { data } = await a.must('GET', path);
    const first = data.find(({ id }: { id: string }) => id !== spare.key.id).id;
    await b.must('PUT', `/operators/${b.operatorId}/email`, { email: 'b@fern.example', ...WHY });
    await a.must('DELETE', `${path}/${first}`);
    const last = await a.call('DELETE', `${path}/${spare.key.id}`);
    assert.deepEqual([last.status, last.body.error.code], [409, 'operation_refused']);
    const login = { issuer: 'https://id.example', clientId: 'c', clientSecret: 's' };
    const sso = { ...login, consoleUrl: 'https://console.example' };
    Object.assign(own.config, { consoleSignIn: { ...consoleSignIn, sso } });
    await a.must('DELETE', `${path}/${spare.key.id}`);
    const gone = { email: null, ...WHY };
    const address = await a.call('PUT', `/operators/${b.operatorId}/email`, gone);
    assert.deepEqual([address.status, address.body.error.code], [409, 'operation_refused']);
    await small.as('Cid');
    await a.must('PUT', `/operators/${b.operatorId}/email`, gone);
    const after = await a.must('GET', `/operators/${b.operatorId}`);
    assert.equal(after.email, null, 'Ann and Cid are left');
  } finally {
    Object.assign(own.config, { consoleSignIn });
    await small.app.close();
    await own.drop();
  }
});

test('a role that may do less is set by one, and a role that may do more is asked for', async () => {
  const sam = await admin.as('Sam Oak', ['support', 'payments']);
  const set = (roles: string[]) =>
    robin.must('PUT', `/operators/${sam.operatorId}/roles`, { roles, ...WHY });
  const less = await set(['support']);
  assert.deepEqual([less.operator.roles, less.request], [['support'], null]);
  const more = await set(['support', 'security']);
  assert.deepEqual(more.operator.roles, ['support']);
  assert.deepEqual([more.request.kind, more.request.status], ['operator_roles', 'pending']);
  const own = await sam.call('PUT', `/operators/${sam.operatorId}/roles`, {
    roles: ['security'],
    ...WHY,
  });
  assert.equal(own.status, 403);
  await kim.must('POST', `/requests/${more.request.id}/agree`, WHY);
  const after = await robin.must('GET', `/operators/${sam.operatorId}`);
  assert.deepEqual(after.roles, ['support', 'security']);
  assert.notEqual(after.newcomer_until, null);
});

test('a name with other signs, or of two scripts, is refused, naming the field', async () => {
  const body = { email: 'x@fern.example', roles: ['auditor'], ...WHY };
  for (const name of ['Robin:Fern', ' ', 'x'.repeat(71), '<b>', 'Ольga']) {
    const { status, body: answer } = await robin.call('POST', '/operators', { name, ...body });
    assert.deepEqual([status, Object.keys(answer.error.details)], [400, ['name']], name);
  }
});

test('the same Idempotency-Key asks once, and gets the first answer again', async () => {
  const headers = { 'idempotency-key': 'once' };
  const body = { name: 'Una Yew', email: 'una@fern.example', roles: ['auditor'], ...WHY };
  const first = await robin.call('POST', '/operators', body, headers);
  const second = await robin.call('POST', '/operators', body, headers);
  assert.equal(first.status, 200);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers['idempotent-replayed'], 'true');
  const other = await robin.call('POST', '/operators', { ...body, name: 'Una Yews' }, headers);
  assert.equal(other.body.error.code, 'idempotency_conflict');
});

test('unknown paths are 404 and other methods 405, with the envelope and a request id', async () => {
  const unknown = await robin.call('GET', '/nothing');
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'not_found']);
  const method = await robin.call('PUT', '/operators', {});
  assert.deepEqual([method.status, method.headers.allow], [405, 'GET, HEAD, POST']);
  assert.match(String(method.headers['x-request-id']), /^req_/);
});

test('the document of the operators’ API names every endpoint, and the role that it takes', async () => {
  const document = (await admin.app.inject('/admin/v1/openapi.json')).json();
  assert.equal(document.openapi, '3.1.0');
  assert.ok(Object.hasOwn(document.paths, '/admin/v1/operators/{id}/keys/{key_id}'));
  const { post } = document.paths['/admin/v1/operators'];
  assert.match(post.description, /Takes the role `security`\.$/);
});
