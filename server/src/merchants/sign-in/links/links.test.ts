import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  makeUser,
  openPlace,
  PASSWORD,
  type Place,
  Visitor,
} from '../../../../test-support/slices/visitor.ts';
import { makeSignIn } from '../sign-in.ts';
import { createPasswordLink } from './links.ts';

let place: Place;
before(async () => {
  place = await openPlace();
});
after(() => place.close());

const NEW = 'a quite different one';

const tokenOf = (url: string): string => new URL(url).searchParams.get('token') ?? '';

const expire = (userId: string) =>
  place.platform.db.transaction((tx) =>
    tx.run(`UPDATE user_links SET expires_at = now() - interval '1 second' WHERE user_id = $1`, [
      userId,
    ]),
  );

const passwordLink = async (userId: string): Promise<string> => {
  const { db } = place.platform;
  return tokenOf(
    (await db.transaction((tx) => createPasswordLink(place.platform, tx, userId))).url,
  );
};

test('a sign-in link opens the dashboard once, within a day', async () => {
  const { userId, email } = await makeUser(place);
  const { url, expiresAt } = await place.signIn.createSignInLink(email);
  assert.match(url, /^http:\/\/localhost:4000\/dashboard\/auth\/sign-in-link\?token=[\w-]{43}$/);
  const hours = expiresAt.since(Temporal.Now.instant()).total('hours');
  assert.ok(hours > 23.9 && hours <= 24, String(hours));
  const visitor = new Visitor(place);
  const open = (who: Visitor) => who.send('POST', '/sign-in-link', { token: tokenOf(url) });
  const first = await open(visitor);
  assert.deepEqual(
    [first.status, first.headers.location],
    [303, 'http://localhost:4000/dashboard'],
  );
  assert.equal(await visitor.is(), userId);
  const late = new Visitor(place);
  const second = await open(late);
  assert.deepEqual(
    [second.status, second.headers.location, second.cookies],
    [303, 'http://localhost:4000/dashboard/sign-in?problem=link', []],
  );
  assert.equal(await late.is(), null);
});

test('of many who open a sign-in link at once, one comes in', async () => {
  const { email } = await makeUser(place);
  const { url } = await place.signIn.createSignInLink(email);
  const visitors = Array.from({ length: 6 }, () => new Visitor(place));
  const token = tokenOf(url);
  await Promise.all(visitors.map((v) => v.send('POST', '/sign-in-link', { token })));
  const inside = await Promise.all(visitors.map((visitor) => visitor.is()));
  assert.equal(inside.filter((user) => user !== null).length, 1);
});

test('a sign-in link that expired, was never made or is for a password opens nothing', async () => {
  const { userId, email } = await makeUser(place);
  const { url } = await place.signIn.createSignInLink(email);
  await expire(userId);
  for (const token of [tokenOf(url), 'A'.repeat(43), '', await passwordLink(userId)]) {
    const visitor = new Visitor(place);
    const { headers } = await visitor.send('POST', '/sign-in-link', { token });
    assert.match(String(headers.location), /problem=link$/);
    assert.equal(await visitor.is(), null);
  }
});

test('whoever looks at a sign-in link does not use it up; the button of its page does', async () => {
  const { userId, email } = await makeUser(place);
  const { url } = await place.signIn.createSignInLink(email);
  const token = tokenOf(url);
  const path = `/dashboard/auth/sign-in-link?token=${token}`;
  for (const [method, status] of [
    ['HEAD', 405],
    ['GET', 200],
    ['GET', 200],
  ] as const) {
    const looked = await place.app.inject({ method, url: path });
    assert.deepEqual([looked.statusCode, looked.headers['set-cookie']], [status, undefined]);
  }
  const page = (await place.app.inject({ url: path })).body;
  assert.match(page, /<form method="post" action="\/dashboard\/auth\/sign-in-link">/);
  assert.ok(page.includes(`<input type="hidden" name="token" value="${token}">`));
  const send = (headers: Record<string, string>) =>
    place.app.inject({
      method: 'POST',
      url: '/dashboard/auth/sign-in-link',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: `token=${token}`,
    });
  const elsewhere = await send({ 'sec-fetch-site': 'cross-site' });
  assert.equal(elsewhere.statusCode, 403, 'a page of another site has no button of ours');
  const pressed = await send({ 'sec-fetch-site': 'same-origin' });
  assert.deepEqual(
    [pressed.statusCode, pressed.headers.location],
    [303, 'http://localhost:4000/dashboard'],
  );
  const cookie = [pressed.headers['set-cookie'] ?? []].flat().join('; ');
  assert.equal((await place.signIn.who({ cookie }))?.userId, userId);
});

test('the page of a sign-in link shows what its address holds as text', async () => {
  const nasty = encodeURIComponent('"><script>alert(1)</script>');
  const { body, headers } = await place.app.inject({
    url: `/dashboard/auth/sign-in-link?token=${nasty}`,
  });
  assert.ok(!body.includes('<script>'), body);
  assert.match(String(headers['content-security-policy']), /default-src 'none'/);
});

test('nobody gets a sign-in link who is not there', async () => {
  await assert.rejects(place.signIn.createSignInLink('nobody@fernhill.example'), {
    code: 'not_found',
  });
});

test('links, sessions and challenges that have expired are forgotten once somebody is there', async () => {
  const gone = await makeUser(place);
  await place.signIn.createSignInLink(gone.email);
  await new Visitor(place).signIn(gone.email);
  await expire(gone.userId);
  const { db } = place.platform;
  await db.transaction((tx) => tx.run('UPDATE sessions SET expires_at = created_at'));
  const again = makeSignIn(place.platform);
  const present = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(present.email);
  await again.who({ cookie: visitor.cookie });
  await again.idle();
  const row = await db.read((tx) =>
    tx.row(
      `SELECT (SELECT count(*) FROM user_links WHERE user_id = $1) AS links,
         (SELECT count(*) FROM sessions WHERE expires_at <= now()) AS sessions`,
      [gone.userId],
    ),
  );
  assert.deepEqual(row, { links: 0, sessions: 0 });
});

test('a link sets a new password once, and ends every session', async () => {
  const { userId, email } = await makeUser(place);
  const before = new Visitor(place);
  await before.signIn(email);
  const [token, spare] = [await passwordLink(userId), await passwordLink(userId)];
  const visitor = new Visitor(place);
  const set = (link: string, password: string) =>
    visitor.send('POST', '/password', { token: link, password });
  const weak = await set(token, 'short');
  assert.deepEqual(
    [weak.status, Object(weak.body.error).details],
    [400, { password: 'must have at least 10 characters' }],
  );
  assert.equal(await before.is(), userId);
  const done = await set(token, NEW);
  assert.deepEqual([done.status, done.body], [200, { email, two_factor: false }]);
  assert.deepEqual([await visitor.is(), await before.is()], [userId, null]);
  for (const used of [token, spare, 'A'.repeat(43)]) {
    const again = await set(used, 'yet another one');
    assert.deepEqual([again.status, Object(again.body.error).code], [404, 'not_found']);
  }
  assert.equal((await new Visitor(place).signIn(email)).status, 401);
  assert.equal((await new Visitor(place).signIn(email, NEW)).status, 200);
});

test('a body that is not what it should be is refused with every wrong field', async () => {
  const visitor = new Visitor(place);
  const { status, body } = await visitor.send('POST', '/password', { token: 1, colour: 'red' });
  assert.deepEqual([status, Object(body.error).code], [400, 'invalid_request']);
  assert.deepEqual(Object.keys(Object(body.error).details).sort(), ['colour', 'password', 'token']);
  assert.ok(PASSWORD.length >= 10);
});
