import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUser, openPlace, PASSWORD, Visitor } from '../../../test-support/slices/visitor.ts';
import { SIGN_IN_LIMITS } from './settings.ts';

const GUESS = 'guess';
const CHANGE = { currentPassword: GUESS, newPassword: 'longer than ten' };

test('an address that tries too often is told to wait, whoever it tries to be', async (t) => {
  const place = await openPlace({}, { triesPerAddress: 3 });
  t.after(() => place.close());
  const { email } = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.send('POST', '/sign-in-link', { token: 'a' });
  await visitor.send('GET', '/invitation?token=b');
  assert.equal((await visitor.signIn('nobody@fernhill.example')).status, 401);
  const refused = await visitor.signIn(email);
  assert.deepEqual([refused.status, Object(refused.body.error).code], [429, 'rate_limit_exceeded']);
  const wait = Number(refused.headers['retry-after']);
  assert.ok(wait > 0 && wait <= 60, String(wait));
  assert.match(
    Object(refused.body.error).message,
    /^Too many attempts\. Try again in \d+ seconds?\.$/,
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

test('an account that very many addresses try is closed to browsers that nobody knows', async (t) => {
  const place = await openPlace({}, { triesEverywhere: 3 });
  t.after(() => place.close());
  const { email } = await makeUser(place);
  const other = await makeUser(place);
  const owner = new Visitor(place);
  await owner.signIn(email);
  await owner.send('POST', '/sign-out', {});
  const from = (n: number): Visitor => {
    const visitor = new Visitor(place);
    visitor.address = `198.51.100.${n}`;
    return visitor;
  };
  for (const spelled of [email.toUpperCase(), ` ${email}`])
    await from(spelled.length).signIn(spelled, 'not the password');
  const refused = await from(9).signIn(email);
  assert.equal(refused.status, 429);
  const wait = Number(refused.headers['retry-after']);
  assert.ok(wait > 900 && wait <= 3600, String(wait));
  assert.match(Object(refused.body.error).message, /Try again in (59|60) minutes\.$/);
  assert.equal((await owner.signIn(email)).status, 200, 'a browser that signed in before');
  assert.equal((await from(9).signIn(other.email)).status, 200);
});

test('who holds a session cannot guess its password either', async (t) => {
  const place = await openPlace({}, { triesPerDevice: 3 });
  t.after(() => place.close());
  const { email } = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(email);
  const passkeys: [string, object][] = [
    ['/passkey/generate-register-options', { password: GUESS }],
    ['/passkey/delete-passkey', { password: GUESS, id: 'a-passkey' }],
  ];
  const tries: [string, object][] = [
    ['/change-password', CHANGE],
    ['/two-factor/enable', { password: GUESS }],
    ['/two-factor/disable', { password: GUESS }],
  ];
  for (const [path, body] of tries)
    assert.equal((await visitor.send('POST', path, body)).status, 400, path);
  assert.equal((await visitor.send('POST', '/change-password', CHANGE)).status, 429);
  for (const [path, body] of passkeys)
    assert.equal((await visitor.send('POST', path, body)).status, 429, path);
  const other = await makeUser(place);
  await visitor.signIn(other.email);
  for (const [path, body] of [...passkeys, ...passkeys].slice(1))
    assert.equal((await visitor.send('POST', path, body)).status, 400, path);
  for (const [path, body] of passkeys)
    assert.equal((await visitor.send('POST', path, body)).status, 429, path);
});

test('a session cannot guess its password under other addresses of email', async (t) => {
  const place = await openPlace({}, { triesPerDevice: 3 });
  t.after(() => place.close());
  const visitor = new Visitor(place);
  const { userId, email } = await makeUser(place);
  await visitor.signIn(email);
  const right = { currentPassword: PASSWORD, newPassword: 'longer than ten' };
  for (const [path, body] of [
    ['/two-factor/disable', { password: PASSWORD }],
    ['/change-password', right],
  ] as const) {
    const named = { ...body, email: 'other@fernhill.example' };
    const refused = await visitor.send('POST', path, named);
    assert.deepEqual(
      [refused.status, Object.keys(Object(refused.body.error).details)],
      [400, ['email']],
      `${path}: the password is not looked at`,
    );
  }
  assert.equal(await visitor.is(), userId);
  const statuses = [];
  for (let i = 0; i < 4; i++)
    statuses.push((await visitor.send('POST', '/change-password', CHANGE)).status);
  assert.deepEqual(statuses, [400, 400, 400, 429], 'what names nobody counts for the session');
  assert.equal((await visitor.send('POST', '/change-password', right)).status, 429);
});

test('wrong passwords from elsewhere keep an owner out nowhere: not at home, not on the way', async (t) => {
  const place = await openPlace({}, SIGN_IN_LIMITS);
  t.after(() => place.close());
  const { email } = await makeUser(place);
  const home = new Visitor(place);
  await home.signIn(email);
  await home.send('POST', '/sign-out', {});
  const attacker = new Visitor(place);
  attacker.address = '203.0.113.66';
  const answers: number[] = [];
  for (let i = 0; i < 25; i++) answers.push((await attacker.signIn(email, `guess ${i}`)).status);
  assert.deepEqual(answers.slice(0, 10), Array(10).fill(401));
  assert.deepEqual(answers.slice(10), Array(15).fill(429), 'guessing ends at ten');
  assert.equal((await home.signIn(email)).status, 200, 'at home');
  const elsewhere = new Visitor(place);
  elsewhere.address = '198.51.100.7';
  assert.equal((await elsewhere.signIn(email)).status, 200, 'a new browser at another address');
});

test('where everybody has one address, a browser that signed in before still comes in', async (t) => {
  const place = await openPlace({}, SIGN_IN_LIMITS);
  t.after(() => place.close());
  const { email } = await makeUser(place);
  const owner = new Visitor(place);
  await owner.signIn(email);
  await owner.send('POST', '/sign-out', {});
  const attacker = new Visitor(place);
  for (let i = 0; i < 12; i++) await attacker.signIn(i % 2 ? email : 'a@b.example', 'guess');
  assert.equal((await new Visitor(place).signIn(email)).status, 429);
  assert.equal((await owner.signIn(email)).status, 200);
});

test('a known browser is one of its account alone, and its own wrong passwords end too', async (t) => {
  const place = await openPlace({}, { triesPerDevice: 3, triesPerAccount: 2 });
  t.after(() => place.close());
  const [mine, other] = [await makeUser(place), await makeUser(place)];
  const visitor = new Visitor(place);
  const { cookies } = await visitor.signIn(mine.email);
  const device = cookies.find((line) => line.startsWith('recollect.device.'));
  assert.match(device ?? '', /; Path=\/dashboard\/auth; .*HttpOnly; SameSite=Strict$/);
  const wrong = async (email: string) => (await visitor.signIn(email, 'guess')).status;
  assert.deepEqual(
    [await wrong(other.email), await wrong(other.email), await wrong(other.email)],
    [401, 401, 429],
    'it is nobody there',
  );
  assert.deepEqual(
    [
      await wrong(mine.email),
      await wrong(mine.email),
      await wrong(mine.email),
      await wrong(mine.email),
    ],
    [401, 401, 401, 429],
  );
  const forger = new Visitor(place);
  for (const [name, value] of visitor.cookies)
    if (name.startsWith('recollect.device.')) forger.cookies.set(name, `${value.slice(0, -2)}AA`);
  const forged = async () => (await forger.signIn(mine.email, 'guess')).status;
  assert.deepEqual([await forged(), await forged(), await forged()], [401, 429, 429]);
});

test('many known browsers of one account guess no more than a few passwords together', async (t) => {
  const place = await openPlace({}, { triesPerDevice: 3, triesOfDevices: 5 });
  t.after(() => place.close());
  const { email } = await makeUser(place);
  const browsers = [];
  for (let i = 0; i < 3; i++) {
    const visitor = new Visitor(place);
    assert.equal((await visitor.signIn(email)).status, 200);
    browsers.push(visitor);
  }
  const statuses = [];
  for (const visitor of browsers)
    for (let i = 0; i < 3; i++) statuses.push((await visitor.signIn(email, 'guess')).status);
  assert.equal(statuses.filter((status) => status === 401).length, 5);
});

test('a link that signs in makes no known browser, nor does what its session changes', async (t) => {
  const place = await openPlace();
  t.after(() => place.close());
  const { email } = await makeUser(place);
  const { url } = await place.signIn.createSignInLink(email);
  const visitor = new Visitor(place);
  const token = new URL(url).searchParams.get('token');
  const opened = await visitor.send('POST', '/sign-in-link', { token });
  const renamed = await visitor.send('POST', '/update-user', { name: 'Another' });
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
  const lines = [...opened.cookies, ...renamed.cookies];
  assert.ok(!lines.some((line) => line.startsWith('recollect.device.')), lines.join('\n'));
});
