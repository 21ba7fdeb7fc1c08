import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { appCode, appKey } from '../../../../test-support/authenticator-app.ts';
import { testServer } from '../../../../test-support/slices/platform.ts';
import {
  makeUser,
  openPlace,
  PASSWORD,
  type Place,
  Visitor,
} from '../../../../test-support/slices/visitor.ts';
import { makeVault } from '../../../platform/vault/vault.ts';
import { hasForeignFactors } from '../second-factor-store.ts';
import { makeSignIn } from '../sign-in.ts';
import { rewrapSecondFactors } from './rewrap-second-factors.ts';

// The key that signs cookies and encrypts second factors is replaced: first derived alone, then both, then the new one alone.

const vaultOf = (...signing: [string, Buffer | null][]) =>
  makeVault(new Map([['test', Buffer.alloc(32, 1)]]), Buffer.alloc(32, 2), new Map(signing));
const S1: [string, Buffer] = ['s1', Buffer.alloc(32, 3)];
const ROLLING = vaultOf(S1, ['derived', null]);
const LATER = vaultOf(S1);

let place: Place;
const apps: (() => Promise<void>)[] = [];
before(async () => {
  place = await openPlace();
});
after(async () => {
  for (const close of apps) await close();
  await place.close();
});

/** Opens sign-in over the same database in a process with other keys. */
async function restarted(vault: typeof LATER): Promise<Place> {
  const platform = { ...place.platform, vault };
  const signIn = makeSignIn(platform);
  const app = await testServer(platform, { plain: signIn.routes });
  apps.push(() => app.close());
  return { ...place, platform, signIn, app };
}

/** Moves a browser, with its cookies, to another process. */
function movedTo(other: Place, visitor: Visitor): Visitor {
  const moved = new Visitor(other);
  for (const [name, value] of visitor.cookies) moved.cookies.set(name, value);
  return moved;
}

test('nobody is signed out, and no second factor is lost, when the signing key is replaced', async () => {
  const { userId, email } = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(email);
  const { body } = await visitor.send('POST', '/two-factor/enable', { password: PASSWORD });
  const key = appKey(new URL(String(body.totpURI)).searchParams.get('secret') ?? '');
  await visitor.send('POST', '/two-factor/verify-totp', { code: appCode(key) });
  assert.equal(await visitor.is(), userId);

  const rolling = await restarted(ROLLING);
  const moved = movedTo(rolling, visitor);
  assert.equal(await moved.is(), userId, 'the session goes on');
  const again = new Visitor(rolling);
  assert.equal((await again.signIn(email)).body.twoFactorRedirect, true);
  await again.send('POST', '/two-factor/verify-totp', { code: appCode(key, 1) });
  assert.equal(await again.is(), userId, 'the second factor opens');

  const later = await restarted(LATER);
  assert.equal(await movedTo(later, visitor).is(), null, 'a cookie of a key that is gone is none');
  assert.equal(await movedTo(later, again).is(), userId, 'one of the new key is good');
  const { db } = place.platform;
  const versions = LATER.secrets('sign-in').map(({ version }) => version);
  const isLost = (): Promise<boolean> => db.read((tx) => hasForeignFactors(tx, versions));
  assert.equal(await isLost(), true, 'a start without the old key is refused');
  assert.equal((await rewrapSecondFactors(db, LATER, false)).unreadable.length, 1);
  assert.equal((await rewrapSecondFactors(db, ROLLING, true)).stale, 1);
  const done = { stale: 1, rewrapped: 1, unreadable: [] };
  assert.deepEqual(await rewrapSecondFactors(db, ROLLING, false), done);
  assert.equal((await rewrapSecondFactors(db, ROLLING, false)).stale, 0);
  assert.equal(await isLost(), false);
  const last = new Visitor(later);
  await last.signIn(email);
  const [backupCode] = body.backupCodes as string[];
  await last.send('POST', '/two-factor/verify-backup-code', { code: backupCode ?? '' });
  assert.equal(await last.is(), userId, 'its codes open under the new key alone');
});

test('a cookie that no key of the ring has signed is not signed again', async () => {
  const { email } = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(email);
  const forged = movedTo(await restarted(ROLLING), visitor);
  for (const [name, value] of forged.cookies)
    if (name.includes('session_token')) forged.cookies.set(name, `x${value}`);
  assert.equal(await forged.is(), null);
});

test('a browser that is known stays known when the signing key is replaced', async () => {
  const { email } = await makeUser(place);
  const visitor = new Visitor(place);
  await visitor.signIn(email);
  const device = [...visitor.cookies].find(([name]) => name.startsWith('recollect.device.'));
  const moved = movedTo(await restarted(ROLLING), visitor);
  await moved.signIn(email);
  const renewed = [...moved.cookies].find(([name]) => name === device?.[0]);
  assert.equal(renewed?.[1].split('.')[1], device?.[1].split('.')[1], 'the same browser');
  assert.notEqual(renewed?.[1], device?.[1], 'signed with the new key');
});
