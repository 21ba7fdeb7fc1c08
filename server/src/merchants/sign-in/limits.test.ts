import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUser, openPlace, Visitor } from './test-visitor.ts';

test('an address that tries too often is told to wait, whoever it tries to be', async (t) => {
  const place = await openPlace({}, { triesPerAddress: 3, triesPerAccount: 100 });
  t.after(() => place.close());
  const { email } = await makeUser(place);
  const visitor = new Visitor(place);
  for (const path of ['/sign-in-link?token=a', '/invitation?token=b'])
    await visitor.send('GET', path);
  assert.equal((await visitor.signIn('nobody@fernhill.example')).status, 401);
  const refused = await visitor.signIn(email);
  assert.deepEqual([refused.status, Object(refused.body.error).code], [429, 'rate_limit_exceeded']);
  const wait = Number(refused.headers['retry-after']);
  assert.ok(wait > 0 && wait <= 60, String(wait));
  assert.match(
    Object(refused.body.error).message,
    /^Too many tries\. Try again in \d+ seconds?\.$/,
  );
  for (const path of [
    '/password',
    '/invitation',
    '/two-factor/verify-totp',
    '/passkey/verify-authentication',
  ])
    assert.equal((await visitor.send('POST', path, {})).status, 429, path);
  assert.equal((await visitor.send('GET', '/passkey/generate-authenticate-options')).status, 429);
  const neighbour = new Visitor(place);
  neighbour.address = '192.0.2.2';
  assert.equal((await neighbour.signIn(email)).status, 200);
});

test('an account that many addresses try is closed for a while, the right password included', async (t) => {
  const place = await openPlace({}, { triesPerAddress: 100, triesPerAccount: 3 });
  t.after(() => place.close());
  const { email } = await makeUser(place);
  const other = await makeUser(place);
  const from = (n: number): Visitor => {
    const visitor = new Visitor(place);
    visitor.address = `198.51.100.${n}`;
    return visitor;
  };
  for (const spelled of [email, email.toUpperCase(), ` ${email}`])
    await from(spelled.length).signIn(spelled, 'not the password');
  const refused = await from(9).signIn(email);
  assert.equal(refused.status, 429);
  const wait = Number(refused.headers['retry-after']);
  assert.ok(wait > 60 && wait <= 900, String(wait));
  assert.match(Object(refused.body.error).message, /Try again in 1[45] minutes\.$/);
  assert.equal((await from(9).signIn(other.email)).status, 200);
});

test('who holds a session cannot guess its password either', async (t) => {
  const place = await openPlace({}, { triesPerAddress: 100, triesPerAccount: 4 });
  t.after(() => place.close());
  const { email } = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(email);
  const password = 'guess';
  const wrong = { password, currentPassword: password, newPassword: 'longer than ten' };
  const passkeys: [string, object][] = [
    ['/passkey/generate-register-options', { password }],
    ['/passkey/delete-passkey', { password, id: 'a-passkey' }],
  ];
  const tries = ['/change-password', '/two-factor/enable', '/two-factor/disable'];
  for (const path of tries)
    assert.equal((await visitor.send('POST', path, wrong)).status, 400, path);
  assert.equal((await visitor.send('POST', '/change-password', wrong)).status, 429);
  for (const [path, body] of passkeys)
    assert.equal((await visitor.send('POST', path, body)).status, 429, path);
  const other = await makeUser(place);
  await visitor.signIn(other.email);
  for (const [path, body] of [...passkeys, ...passkeys].slice(1))
    assert.equal((await visitor.send('POST', path, body)).status, 400, path);
  for (const [path, body] of passkeys)
    assert.equal((await visitor.send('POST', path, body)).status, 429, path);
});
