import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { appCode, appKey } from '../../../test-support/authenticator-app.ts';
import {
  makeUser,
  openPlace,
  PASSWORD,
  type Place,
  Visitor,
} from '../../../test-support/slices/visitor.ts';

let place: Place;
before(async () => {
  place = await openPlace();
});
after(() => place.close());

/** Returns the key in the address that an authenticator app scans. */
const keyIn = (uri: unknown): Buffer =>
  appKey(new URL(String(uri)).searchParams.get('secret') ?? '');

/** Returns a user with a second factor, signed in where they turned it on. */
async function withSecondFactor() {
  const { userId, email } = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(email);
  const { status, body } = await visitor.send('POST', '/two-factor/enable', { password: PASSWORD });
  assert.equal(status, 200, JSON.stringify(body));
  const key = keyIn(body.totpURI);
  const turnedOn = await visitor.send('POST', '/two-factor/verify-totp', {
    code: appCode(key),
  });
  assert.equal(turnedOn.status, 200, JSON.stringify(turnedOn.body));
  return { userId, email, visitor, key, backupCodes: body.backupCodes as string[] };
}

test('a second factor is turned on with the password and a first code, and asked for from then on', async () => {
  const { userId, email, key } = await withSecondFactor();
  const visitor = new Visitor(place);
  const first = await visitor.signIn(email);
  assert.equal(first.body.twoFactorRedirect, true);
  assert.equal(await visitor.is(), null);
  const wrong = await visitor.send('POST', '/two-factor/verify-totp', { code: '000000' });
  assert.equal(wrong.status, 401);
  const right = await visitor.send('POST', '/two-factor/verify-totp', {
    code: appCode(key, 1),
  });
  assert.equal(right.status, 200);
  assert.equal(await visitor.is(), userId);
});

test('a code opens one session, also where it is typed twice at once', async () => {
  const { userId, email, key } = await withSecondFactor();
  const visitors = [new Visitor(place), new Visitor(place)];
  for (const visitor of visitors) await visitor.signIn(email);
  const send = (visitor: Visitor, code: string) =>
    visitor.send('POST', '/two-factor/verify-totp', { code });
  const answers = await Promise.all(visitors.map((visitor) => send(visitor, appCode(key, 1))));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
  assert.ok(answers.some(({ body }) => body.code === 'CODE_USED'));
  const signedIn = await Promise.all(visitors.map((visitor) => visitor.is()));
  assert.deepEqual(signedIn.sort(), [userId, null].sort());
  const sessions = await place.platform.db.read((tx) =>
    tx.rows('SELECT 1 FROM sessions WHERE user_id = $1', [userId]),
  );
  assert.equal(sessions.length, 2, 'where it was turned on, and one more');
});

test('turning it on asks for the password, turning it off for a code too, and each ends every other session', async () => {
  const { userId, email } = await makeUser(place);
  const here = new Visitor(place);
  const there = new Visitor(place);
  await here.signIn(email);
  await there.signIn(email);
  const enable = (password: string) => here.send('POST', '/two-factor/enable', { password });
  assert.equal((await enable('guess')).status, 400);
  const enabled = (await enable(PASSWORD)).body;
  const key = keyIn(enabled.totpURI);
  const [backupCode] = enabled.backupCodes as string[];
  assert.equal(await there.is(), userId, 'not on before the first code');
  await here.send('POST', '/two-factor/verify-totp', { code: appCode(key) });
  assert.deepEqual([await here.is(), await there.is()], [userId, null]);

  await there.signIn(email);
  await there.send('POST', '/two-factor/verify-totp', { code: appCode(key, 1) });
  assert.deepEqual([await here.is(), await there.is()], [userId, userId], 'signing in ends none');
  const disable = async (body: object) =>
    (await there.send('POST', '/two-factor/disable', body)).status;
  assert.equal(await disable({ password: 'guess', code: backupCode }), 400);
  assert.equal(
    await disable({ password: PASSWORD }),
    400,
    'a password alone does not get around it',
  );
  assert.equal(await disable({ password: PASSWORD, code: backupCode }), 200);
  assert.deepEqual([await here.is(), await there.is()], [null, userId]);
});

test('a passkey, which signs in without the second factor, is added only with it', async () => {
  const { visitor, backupCodes } = await withSecondFactor();
  const add = (body: object) => visitor.send('POST', '/passkey/generate-register-options', body);
  const refused = await add({ password: PASSWORD });
  assert.equal(refused.status, 400, JSON.stringify(refused.body));
  assert.deepEqual(Object.keys(Object(refused.body.error).details), ['code']);
  assert.equal((await add({ password: PASSWORD, code: '000000' })).status, 400);
  assert.equal((await add({ password: PASSWORD, code: backupCodes[0] })).status, 200);
});

test('a backup code stands in for the app, once', async () => {
  const { userId, email, backupCodes } = await withSecondFactor();
  const use = async (code: string) => {
    const visitor = new Visitor(place);
    await visitor.signIn(email);
    const { status } = await visitor.send('POST', '/two-factor/verify-backup-code', { code });
    return [status, await visitor.is()];
  };
  const [first = '', second = ''] = backupCodes;
  assert.deepEqual(await use(first), [200, userId]);
  assert.deepEqual(await use(first), [401, null]);
  assert.deepEqual(await use(second), [200, userId]);
});

test('guessing codes closes the second factor for a while, whoever asks from wherever', async () => {
  const { email, key } = await withSecondFactor();
  for (let i = 0; i < 2; i++) {
    const guesser = new Visitor(place);
    await guesser.signIn(email);
    for (let n = 0; n < 5; n++)
      await guesser.send('POST', '/two-factor/verify-totp', { code: `00000${n}` });
  }
  const owner = new Visitor(place);
  await owner.signIn(email);
  const answered = await owner.send('POST', '/two-factor/verify-totp', {
    code: appCode(key, 1),
  });
  assert.equal(answered.status, 429, JSON.stringify(answered.body));
  assert.equal(answered.headers['retry-after'], '900');
});

test('a browser is never trusted to go without the second factor', async () => {
  const { email, key } = await withSecondFactor();
  const visitor = new Visitor(place);
  await visitor.signIn(email);
  const code = appCode(key, 1);
  const { cookies } = await visitor.send('POST', '/two-factor/verify-totp', {
    code,
    trustDevice: true,
  });
  assert.ok(!cookies.some((cookie) => cookie.includes('trust_device=')), cookies.join('\n'));
  assert.equal((await visitor.signIn(email)).body.twoFactorRedirect, true);
});

test('the secret of the second factor and the backup codes are encrypted where they lie', async () => {
  const { userId, key, backupCodes } = await withSecondFactor();
  const row = await place.platform.db.read((tx) =>
    tx.row<{ secret: string; backupCodes: string }>(
      'SELECT secret, backup_codes FROM two_factors WHERE user_id = $1',
      [userId],
    ),
  );
  assert.ok(row);
  assert.ok(!row.secret.includes(key.toString()));
  for (const code of backupCodes) assert.ok(!row.backupCodes.includes(code));
});
