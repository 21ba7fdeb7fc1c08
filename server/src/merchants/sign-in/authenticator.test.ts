import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appCode, appKey } from '../../../test-support/authenticator-app.ts';
import { makeUser, openPlace, Visitor } from '../../../test-support/slices/visitor.ts';
import { codeAt, typedKey } from './authenticator.ts';
import { setCredentials } from './ready-credentials.ts';

test('codes are those of RFC 6238', () => {
  const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
  const secret = '12345678901234567890';
  assert.deepEqual(
    [codeAt(secret, at(59)), codeAt(secret, at(1_111_111_109))],
    ['287082', '081804'],
  );
});

test('the typed key makes an app show the same codes', () => {
  const secret = 'A secret of 32 letters and signs';
  assert.equal(appCode(appKey(typedKey(secret))), codeAt(secret, Temporal.Now.instant()));
});

test('who was given a password and an authenticator signs in with both', async (t) => {
  const place = await openPlace();
  t.after(() => place.close());
  const { userId, email } = await makeUser(place);
  const given = { password: 'a password of theirs', secret: '12345678901234567890' };
  await setCredentials(place.platform, userId, given);
  const visitor = new Visitor(place);
  await visitor.signIn(email, given.password);
  assert.equal(await visitor.is(), null, 'the password is not enough');
  const code = codeAt(given.secret, Temporal.Now.instant());
  assert.equal((await visitor.send('POST', '/two-factor/verify-totp', { code })).status, 200);
  assert.equal(await visitor.is(), userId);
});
