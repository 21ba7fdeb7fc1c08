import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Authenticator } from '../../../../test-support/slices/authenticator.ts';
import {
  makeUser,
  openPlace,
  PASSWORD,
  type Place,
  Visitor,
} from '../../../../test-support/slices/visitor.ts';

let place: Place;
before(async () => {
  place = await openPlace();
});
after(() => place.close());

interface Passkey {
  id: string;
}

interface Options {
  challenge: string;
  user: { id: string };
  excludeCredentials: { id: string }[];
}

const askToRegister = (visitor: Visitor, body: object = { password: PASSWORD }) =>
  visitor.send('POST', '/passkey/generate-register-options', body);

const remove = (visitor: Visitor, id: unknown, password = PASSWORD) =>
  visitor.send('POST', '/passkey/delete-passkey', { id, password });

async function options(visitor: Visitor, what: 'register' | 'authenticate'): Promise<Options> {
  const { status, body } =
    what === 'register'
      ? await askToRegister(visitor)
      : await visitor.send('GET', '/passkey/generate-authenticate-options');
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as Options;
}

const register = (visitor: Visitor, response: object, name?: string) =>
  visitor.send('POST', '/passkey/verify-registration', { response, ...(name ? { name } : {}) });

const enter = (visitor: Visitor, response: object) =>
  visitor.send('POST', '/passkey/verify-authentication', { response });

/** Returns a signed-in user with a passkey. */
async function withPasskey() {
  const user = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(user.email);
  const authenticator = new Authenticator();
  const answered = await register(
    visitor,
    authenticator.register(await options(visitor, 'register')),
    'Laptop',
  );
  assert.equal(answered.status, 200, JSON.stringify(answered.body));
  return { ...user, visitor, authenticator, passkey: answered.body };
}

/** Has a new visitor respond to the challenge. Returns the service's response, and the user it takes the visitor for. */
async function tryToEnter(respond: (options: Options) => object) {
  const visitor = new Visitor(place);
  const { status, body } = await enter(visitor, respond(await options(visitor, 'authenticate')));
  return { status, code: Object(body.error).code, is: await visitor.is() };
}

test('a passkey is made while signed in, and signs in without a password', async () => {
  const { userId, authenticator, passkey, visitor } = await withPasskey();
  assert.deepEqual(
    [passkey.id, passkey.name, passkey.last_used_at],
    [authenticator.id, 'Laptop', null],
  );
  assert.deepEqual(
    (await options(visitor, 'register')).excludeCredentials.map((c) => c.id),
    [authenticator.id],
  );
  const entered = await tryToEnter((asked) => authenticator.use(asked));
  assert.deepEqual([entered.status, entered.is], [200, userId]);
  const { body } = await visitor.send('GET', '/passkey/list-user-passkeys');
  const [listed] = body.data as Record<string, unknown>[];
  assert.notEqual(listed?.last_used_at, null);
});

test('a passkey is renamed and deleted by its owner alone, and then opens nothing', async () => {
  const { authenticator, visitor, passkey } = await withPasskey();
  const other = await withPasskey();
  const { id } = passkey;
  for (const [path, body] of [
    ['/passkey/update-passkey', { id, name: 'Mine' }],
    ['/passkey/delete-passkey', { id, password: PASSWORD }],
  ] as const) {
    assert.equal((await other.visitor.send('POST', path, body)).status, 404, path);
    assert.equal((await new Visitor(place).send('POST', path, body)).status, 401, path);
    assert.equal((await visitor.send('POST', path, body)).status, 200, path);
  }
  const entered = await tryToEnter((asked) => authenticator.use(asked));
  assert.deepEqual([entered.status, entered.code, entered.is], [401, 'unauthorized', null]);
});

test('a session alone neither adds a passkey nor removes one: the password is asked for', async () => {
  const { visitor, passkey } = await withPasskey();
  const guess = 'not the password';
  for (const answered of [
    await askToRegister(visitor, {}),
    await askToRegister(visitor, { password: guess }),
    await visitor.send('POST', '/passkey/delete-passkey', { id: passkey.id }),
    await remove(visitor, passkey.id, guess),
  ]) {
    const { code, details } = Object(answered.body.error);
    assert.deepEqual([answered.status, code], [400, 'invalid_request']);
    assert.deepEqual(Object.keys(details), ['password']);
    assert.deepEqual(answered.cookies, [], 'no challenge');
  }
  assert.equal((await visitor.send('GET', '/passkey/generate-register-options')).status, 405);
  const { body } = await visitor.send('GET', '/passkey/list-user-passkeys');
  assert.deepEqual(
    (body.data as Passkey[]).map(({ id }) => id),
    [passkey.id],
  );
});

test('who came in by a link and has no password is told how to get one', async () => {
  const { userId, email, visitor, passkey } = await withPasskey();
  await place.platform.db.transaction((tx) =>
    tx.run('DELETE FROM credentials WHERE user_id = $1', [userId]),
  );
  const arrived = new Visitor(place);
  const { url } = await place.signIn.createSignInLink(email);
  await arrived.send('POST', '/sign-in-link', { token: new URL(url).searchParams.get('token') });
  assert.equal(await arrived.is(), userId);
  for (const answered of [
    await askToRegister(arrived),
    await remove(arrived, passkey.id),
    await remove(visitor, passkey.id),
  ]) {
    assert.equal(answered.status, 400);
    assert.match(
      Object(answered.body.error).message,
      /not set a password yet\. .* link .* Settings, Team/,
    );
  }
});

test('a challenge is answered once, by the browser that asked for it', async () => {
  const { authenticator, userId } = await withPasskey();
  const asking = new Visitor(place);
  const asked = await options(asking, 'authenticate');
  const answer = authenticator.use(asked);
  const thief = new Visitor(place);
  assert.equal((await enter(thief, answer)).status, 400, 'without the cookie');
  await options(thief, 'authenticate');
  assert.equal((await enter(thief, answer)).status, 401, 'with the cookie of another challenge');
  assert.equal((await enter(asking, answer)).status, 200);
  assert.equal(await asking.is(), userId);
  assert.equal((await enter(asking, authenticator.use(asked))).status, 400, 'a second time');
});

test('a challenge that is older than five minutes is none', async () => {
  const { authenticator } = await withPasskey();
  const visitor = new Visitor(place);
  const asked = await options(visitor, 'authenticate');
  await place.platform.db.transaction((tx) =>
    tx.run(`UPDATE verifications SET expires_at = expires_at - interval '5 minutes'`),
  );
  assert.equal((await enter(visitor, authenticator.use(asked))).status, 400);
});

test('an answer for another site, another challenge, another person or with another key is refused', async () => {
  const { authenticator } = await withPasskey();
  const other = await withPasskey();
  const altered = (answer: object, change: object): object => ({ ...answer, ...change });
  const answers: ((asked: Options) => object)[] = [
    (asked) => authenticator.use({ ...asked, origin: 'https://evil.example' }),
    (asked) => authenticator.use({ ...asked, challenge: other.authenticator.id }),
    (asked) => new Authenticator().use(asked),
    (asked) =>
      altered(new Authenticator().use(asked), { id: authenticator.id, rawId: authenticator.id }),
    (asked) =>
      altered(other.authenticator.use(asked), { id: authenticator.id, rawId: authenticator.id }),
    (asked) => {
      const elsewhere = new Authenticator('evil.example');
      return altered(elsewhere.use(asked), { id: authenticator.id, rawId: authenticator.id });
    },
  ];
  for (const answer of answers) {
    const entered = await tryToEnter(answer);
    assert.deepEqual([entered.status, entered.code, entered.is], [401, 'unauthorized', null]);
  }
  const malformed = await tryToEnter(() => ({ id: 'x' }));
  assert.deepEqual([malformed.status, malformed.code], [400, 'invalid_request']);
});

test('a counter that does not rise is the mark of a copy', async () => {
  const { authenticator } = await withPasskey();
  assert.equal((await tryToEnter((asked) => authenticator.use(asked))).status, 200);
  authenticator.counter = 0;
  assert.equal((await tryToEnter((asked) => authenticator.use(asked))).status, 401);
});

test('a passkey that was not unlocked is no second factor for who has one', async () => {
  const { userId, authenticator } = await withPasskey();
  const touch = () => tryToEnter((asked) => authenticator.use({ ...asked, unlocked: false }));
  assert.equal((await touch()).is, userId);
  await place.platform.db.transaction((tx) =>
    tx.run('UPDATE users SET two_factor_enabled = true WHERE id = $1', [userId]),
  );
  assert.deepEqual(await touch(), { status: 401, code: 'unauthorized', is: null });
  assert.equal((await tryToEnter((asked) => authenticator.use(asked))).is, userId);
});

test('nobody makes a passkey who is not signed in, or with the challenge of somebody else', async () => {
  const stranger = new Visitor(place);
  assert.equal((await askToRegister(stranger)).status, 401);
  const { visitor } = await withPasskey();
  const asked = await options(visitor, 'register');
  const answer = new Authenticator().register(asked);
  assert.equal((await register(stranger, answer)).status, 401);
  const { visitor: other } = await withPasskey();
  for (const [name, value] of visitor.cookies)
    if (name.endsWith('passkey')) other.cookies.set(name, value);
  assert.equal((await register(other, answer)).status, 400);
  const elsewhere = new Authenticator().register({ ...asked, origin: 'https://evil.example' });
  const refused = await register(visitor, elsewhere);
  assert.deepEqual(Object(refused.body.error).details, { response: 'does not prove a passkey' });
});

test('the cookie of a challenge is for the ceremony alone', async () => {
  const visitor = new Visitor(place);
  const { cookies } = await visitor.send('GET', '/passkey/generate-authenticate-options');
  assert.match(
    cookies[0] ?? '',
    /^recollect\.passkey=[\w-]{43}; Path=\/dashboard\/auth; Max-Age=300; HttpOnly; SameSite=Strict$/,
  );
});
