import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  makeUser,
  openPlace,
  PASSWORD,
  type Place,
  Visitor,
} from '../../../test-support/slices/visitor.ts';
import { makeLog } from '../../platform/log/log.ts';
import { makeSignIn } from './sign-in.ts';

let place: Place;
const logged: string[] = [];

before(async () => {
  const log = makeLog('trace', { write: (line: string) => void logged.push(line) });
  place = await openPlace({}, undefined, (platform) => Object.assign(platform, { log }));
});
after(() => place.close());

test('who signs in with their password is known from then on, until they sign out', async () => {
  const { userId, email } = await makeUser(place);
  const visitor = new Visitor(place);
  assert.equal(await visitor.is(), null);
  const answered = await visitor.signIn(email.toUpperCase());
  assert.equal(answered.status, 200);
  assert.equal(await visitor.is(), userId);
  const who = await place.signIn.who({ cookie: visitor.cookie });
  assert.equal(who?.email, email);
  assert.match(who?.sessionId ?? '', /^ses_/);
  const stolen = visitor.cookie;
  await visitor.send('POST', '/sign-out', {});
  assert.equal(await visitor.is(), null);
  assert.equal(await place.signIn.who({ cookie: stolen }), null, 'the session itself is over');
});

test('a wrong password and an unknown address are answered alike, and take about as long', async () => {
  const { email } = await makeUser(place);
  const visitor = new Visitor(place);
  const times = { wrong: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
  const isAlike = () => times.unknown > times.wrong / 2;
  for (let i = 0; i < 4 || (i < 20 && !isAlike()); i++)
    for (const kind of ['wrong', 'unknown'] as const) {
      const start = performance.now();
      const { status, body, cookies } = await visitor.signIn(
        kind === 'wrong' ? email : 'nobody@fernhill.example',
        'not the password',
      );
      times[kind] = Math.min(times[kind], performance.now() - start);
      assert.deepEqual(
        [status, body.code, cookies],
        [401, 'INVALID_EMAIL_OR_PASSWORD', []],
        JSON.stringify(body),
      );
    }
  assert.equal(await visitor.is(), null);
  assert.ok(isAlike(), JSON.stringify(times));
});

test('the cookie is out of reach of scripts and other sites, and for the dashboard alone', async () => {
  const { email } = await makeUser(place);
  const { cookies } = await new Visitor(place).signIn(email);
  assert.equal(cookies.length, 2, 'the session, and the browser as one that is known');
  const [name, ...attributes] = (cookies[0] ?? '').split('; ');
  assert.match(name ?? '', /^recollect\.session_token=/);
  assert.deepEqual(attributes.sort(), [
    'HttpOnly',
    'Max-Age=604800',
    'Path=/dashboard',
    'SameSite=Lax',
  ]);
});

test('over https the cookie is secure by name and attribute, below the path of the service', async () => {
  const secure = await openPlace({ baseUrl: 'https://pay.example/recollect', mode: 'live' });
  try {
    const { userId, email } = await makeUser(secure);
    const visitor = new Visitor(secure);
    const pages = {
      host: 'pay.example',
      origin: 'https://pay.example',
      'sec-fetch-site': 'same-origin',
    };
    const sent = { email, password: PASSWORD };
    const { status, cookies } = await visitor.send('POST', '/sign-in/email', sent, pages);
    assert.equal(status, 200);
    assert.match(
      cookies[0] ?? '',
      /^__Secure-recollect\.session_token=.*; Path=\/recollect\/dashboard;/,
    );
    assert.match(cookies[0] ?? '', /; Secure(;|$)/);
    assert.equal(await visitor.is(), userId);
  } finally {
    await secure.close();
  }
});

test('nobody signs up, and nothing of the library can be reached that the dashboard does not use', async () => {
  const visitor = new Visitor(place);
  await visitor.signIn((await makeUser(place)).email);
  const body = {
    email: 'new@fernhill.example',
    password: PASSWORD,
    name: 'New',
    provider: 'github',
  };
  for (const path of [
    '/sign-up/email',
    '/sign-in/social',
    '/request-password-reset',
    '/reset-password',
    '/change-email',
    '/delete-user',
    '/link-social',
    '/two-factor/send-otp',
    '/two-factor/view-backup-codes',
    '/open-session',
  ]) {
    const { status, body: answer } = await visitor.send('POST', path, body);
    assert.deepEqual([status, Object(answer.error).code], [404, 'not_found'], path);
  }
});

test('a request from another website is refused before anything is done', async () => {
  const { email } = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(email);
  const elsewhere: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://localhost:4000', 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    {},
  ];
  for (const path of [
    '/sign-out',
    '/sign-in/email',
    '/change-password',
    '/password',
    '/invitation',
  ])
    for (const headers of elsewhere) {
      const { status, body } = await visitor.send('POST', path, { email, password: 'x' }, headers);
      assert.deepEqual([status, Object(body.error).code], [403, 'forbidden'], path);
    }
  for (const path of ['/passkey/verify-authentication', '/passkey/delete-passkey'])
    assert.equal((await visitor.send('POST', path, {}, {})).status, 403, path);
  assert.notEqual(await visitor.is(), null);
});

test('a new password asks for the old one and ends every other session', async () => {
  const { userId, email } = await makeUser(place);
  const here = new Visitor(place);
  const there = new Visitor(place);
  await here.signIn(email);
  await there.signIn(email);
  const change = (currentPassword: string) =>
    here.send('POST', '/change-password', {
      currentPassword,
      newPassword: 'a quite different one',
      revokeOtherSessions: false,
    });
  assert.equal((await change('not the password')).status, 400);
  assert.equal(await there.is(), userId);
  assert.equal((await change(PASSWORD)).status, 200);
  assert.deepEqual([await here.is(), await there.is()], [userId, null]);
  assert.equal((await there.signIn(email)).status, 401);
  assert.equal((await there.signIn(email, 'a quite different one')).status, 200);
});

test('sessions are listed with where they come from, and can be ended one by one', async () => {
  const { email } = await makeUser(place);
  const here = new Visitor(place);
  const there = new Visitor(place);
  there.address = '198.51.100.7';
  await here.signIn(email);
  await there.signIn(email);
  const list = await here.send('GET', '/list-sessions');
  const sessions = list.body as unknown as { token: string; ipAddress: string }[];
  assert.deepEqual(sessions.map((s) => s.ipAddress).sort(), ['192.0.2.1', '198.51.100.7']);
  const other = sessions.find((s) => s.ipAddress === '198.51.100.7');
  await here.send('POST', '/revoke-session', { token: other?.token });
  assert.equal(await there.is(), null);
  assert.notEqual(await here.is(), null);
});

test('an address that a client claims is not believed', async () => {
  const { email } = await makeUser(place);
  const visitor = new Visitor(place);
  const claims = {
    origin: 'http://localhost:4000',
    'x-forwarded-for': '203.0.113.1',
    'x-recollect-address': '203.0.113.2',
  };
  await visitor.send('POST', '/sign-in/email', { email, password: PASSWORD }, claims);
  const { body } = await visitor.send('GET', '/get-session');
  assert.equal((body.session as { ipAddress: string }).ipAddress, '192.0.2.1');
});

test('a session outlives the process, and a forged or altered cookie is nobody’s', async () => {
  const { userId, email } = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(email);
  const again = makeSignIn(place.platform);
  assert.equal((await again.who({ cookie: visitor.cookie }))?.userId, userId);
  await again.idle();
  const [token = ''] = (visitor.cookies.get('recollect.session_token') ?? '').split('.');
  for (const forged of [token, `${token}.`, `${token}.AAAA`, `${visitor.cookie}A`])
    assert.equal(await place.signIn.who({ cookie: `recollect.session_token=${forged}` }), null);
});

test('no second cookie, and no other spelling of the same one, keeps a session from the limits of its team', async () => {
  const { userId, email, merchantId } = await makeUser(place);
  const { db } = place.platform;
  await db.transaction((tx) =>
    tx.run(
      `INSERT INTO access_rules (merchant_id, requires_second_factor, session_longest_minutes)
       VALUES ($1, false, 60)`,
      [merchantId],
    ),
  );
  const name = 'recollect.session_token';
  const spellings: ((value: string) => string)[] = [
    (value) => `__Secure-${name}=decoy.x; ${name}=${value}`,
    (value) => `${name}=${value}; ${name}=decoy.x`,
    (value) => `${name}=%${value.charCodeAt(0).toString(16)}${value.slice(1)}`,
    (value) => `${name}="${value}"`,
  ];
  for (const spell of spellings) {
    const visitor = new Visitor(place);
    await visitor.signIn(email);
    const cookie = spell(visitor.cookies.get(name) ?? '');
    assert.equal((await place.signIn.who({ cookie }))?.userId, userId, cookie);
    await db.transaction((tx) =>
      tx.run(
        `UPDATE sessions SET created_at = created_at - interval '61 minutes' WHERE user_id = $1`,
        [userId],
      ),
    );
    assert.equal(await place.signIn.who({ cookie }), null, cookie);
  }
});

test('a session that is used moves its end, and the cookie’s with it; one that is not ends after 7 days', async () => {
  const { userId, email } = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(email);
  const age = (interval: string) =>
    place.platform.db.transaction((tx) =>
      tx.run(`UPDATE sessions SET expires_at = expires_at - $2::interval WHERE user_id = $1`, [
        userId,
        interval,
      ]),
    );
  assert.deepEqual((await place.signIn.who({ cookie: visitor.cookie }))?.cookies, []);
  await age('1 day');
  const moved = await place.signIn.who({ cookie: visitor.cookie });
  assert.match(moved?.cookies[0] ?? '', /^recollect\.session_token=.*Max-Age=604800/);
  await age('8 days');
  assert.equal(await visitor.is(), null);
});

test('a visit is noted for the team to see', async () => {
  const { userId, email } = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(email);
  await visitor.is();
  await place.signIn.idle();
  const row = await place.platform.db.read((tx) =>
    tx.row<{ seen: boolean }>(
      `SELECT last_seen_at > now() - interval '1 minute' AS seen FROM users WHERE id = $1`,
      [userId],
    ),
  );
  assert.equal(row?.seen, true);
});

test('no password, token or cookie stands in the log', async () => {
  const { email } = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(email, 'a wrong pass-phrase');
  await visitor.signIn(email);
  const { url } = await place.signIn.createSignInLink(email);
  const token = new URL(url).searchParams.get('token') ?? '';
  await visitor.send('GET', `/sign-in-link?token=${token}`);
  await visitor.send('POST', '/sign-in-link', { token });
  const log = logged.join('');
  assert.match(log, /sign-in-link/);
  const session = visitor.cookies.get('recollect.session_token') ?? '';
  assert.ok(session.length > 40);
  for (const secret of [
    PASSWORD,
    'a wrong pass-phrase',
    token,
    session,
    session.split('.')[0] ?? '',
  ])
    assert.ok(!log.includes(secret), secret);
});

test('what cannot be stored, or is no name, is refused by its field and changes nothing', async () => {
  const { email } = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(email);
  const before = (await place.signIn.who({ cookie: visitor.cookie }))?.name;
  for (const name of ['', '   ', 'Kim\u0000Fern', 'x'.repeat(101), 7]) {
    const { status, body } = await visitor.send('POST', '/update-user', { name });
    assert.deepEqual([status, Object.keys(Object(body.error).details ?? {})], [400, ['name']]);
  }
  const token = 'a\u0000b';
  assert.equal((await visitor.send('POST', '/revoke-session', { token })).status, 400);
  assert.equal((await place.signIn.who({ cookie: visitor.cookie }))?.name, before);
});
