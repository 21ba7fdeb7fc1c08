// Slow: goes through passkeys and sessions in several browsers.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import {
  assertGood,
  choosePassword,
  passwordLink,
  seeHeading,
  seeText,
  signInLink,
  signOut,
} from './account.ts';
import { type Person, type Site, startSite, useSignInLink } from './dashboard.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

const PASSWORD = 'a walk on the fells';

/** One address is allowed 10 tries a minute: these tests make 9. */
describe('passkeys and sessions', () => {
  let site: Site;
  let owner: Person;

  before(async () => {
    site = await startSite();
    owner = await site.member('owner');
    await giveAuthenticator(owner);
    await owner.open('/settings/security');
    await seeHeading(owner.page, 'Your security');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('who came in by a link is told that a passkey takes a password, and how to get one', async () => {
    const { page } = owner;
    const dialog = await fillIn(owner, 'a password that was never set');
    await dialog.getByText('You have not set a password yet. An owner can create a link').waitFor();
    await assertGood(page, 'adding a passkey without a password');
    await choosePassword(owner, await passwordLink(site, owner.email), PASSWORD);
    await seeHeading(page, 'Overview');
    await owner.open('/settings/security');
  });

  test('a passkey is added with the password, and signs in without it', async () => {
    const { page } = owner;
    const dialog = await fillIn(owner, 'not the password');
    await dialog.getByText('Is not your password.').waitFor();
    await assertGood(page, 'adding a passkey');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Remove Work laptop' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await assertGood(page, 'your security with a passkey');
    await signOut(owner);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await seeHeading(page, 'Overview');
  });

  test('another session is listed, ended, and that browser is out', async () => {
    const { page } = owner;
    const elsewhere = await site.stranger({ userAgent: FIREFOX });
    await useSignInLink(elsewhere.page, await signInLink(site, owner.email));
    await seeHeading(elsewhere.page, 'Overview');
    await owner.open('/settings/security');
    await seeText(page, 'This session');
    await page.getByRole('button', { name: 'Sign out Firefox on Windows' }).click();
    await seeText(page, 'Session signed out.');
    await seeHeading(elsewhere.page, 'Sign in');
    await page
      .getByRole('button', { name: 'Sign out Firefox on Windows' })
      .waitFor({ state: 'detached' });
    await elsewhere.context.close();
  });

  test('signing out everywhere else asks first, and leaves this browser signed in', async () => {
    const { page } = owner;
    const elsewhere = await site.stranger();
    await useSignInLink(elsewhere.page, await signInLink(site, owner.email));
    await seeHeading(elsewhere.page, 'Overview');
    await owner.open('/settings/security');
    await page.getByRole('button', { name: 'Sign out everywhere else…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('This browser stays signed in.').waitFor();
    await assertGood(page, 'signing out everywhere else');
    await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await seeHeading(elsewhere.page, 'Sign in');
    await dialog.waitFor({ state: 'detached' });
    await owner.open('/settings/security');
    await seeHeading(page, 'Your security');
    assert.equal(await page.getByRole('button', { name: 'Sign out everywhere else…' }).count(), 0);
    await elsewhere.context.close();
  });

  test('a passkey that was removed signs in no more', async () => {
    const { page } = owner;
    await page.getByRole('button', { name: 'Remove Work laptop' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You will no longer be able to sign in with it.').waitFor();
    await dialog.getByLabel('Your password').fill('not the password');
    await dialog.getByRole('button', { name: 'Remove passkey', exact: true }).click();
    await dialog.getByText('Is not your password.').waitFor();
    await assertGood(page, 'removing a passkey');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Remove passkey', exact: true }).click();
    await page.getByRole('button', { name: 'Remove Work laptop' }).waitFor({ state: 'detached' });
    await signOut(owner);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await seeText(page, 'This passkey is not known here.');
    await assertGood(page, 'sign-in with a removed passkey');
  });
});

/** Requests a new passkey, with this password. */
async function fillIn({ page }: Person, password: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add a passkey…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Work laptop');
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  return dialog;
}

/** Simulates a laptop's fingerprint reader that always succeeds. */
async function giveAuthenticator({ context, page }: Person): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
