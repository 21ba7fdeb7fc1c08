// Slow: goes through every second factor in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { appCode, appKey } from '../../server/test-support/authenticator-app.ts';
import {
  assertGood,
  choosePassword,
  enter,
  passwordLink,
  seeHeading,
  seeText,
  signOut,
  textOf,
} from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { holdAnswer, staysOpen } from './dashboard-page.ts';
import { gone, press } from './look.ts';

const PASSWORD = 'correct horse battery';

/** One address is allowed 10 tries a minute: these tests make 10. */
describe('two-factor sign-in', () => {
  let site: Site;
  let owner: Person;
  let secret = '';
  let backupCode = '';

  before(async () => {
    site = await startSite();
    owner = await site.member('owner');
    await choosePassword(owner, await passwordLink(site, owner.email), PASSWORD);
    await seeHeading(owner.page, 'Overview');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('it is set up with the key of an authenticator app, and gives backup codes to keep', async () => {
    const { page } = owner;
    await owner.open('/settings/security');
    await seeHeading(page, 'Your security');
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').waitFor();
    await assertGood(page, 'two-factor: the password');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    secret = (await textOf(dialog.locator('code'))).replaceAll(/\s/g, '');
    await assertGood(page, 'two-factor: the key');
    await dialog.getByLabel('Code from the app').fill(appCode(appKey(secret)));
    const confirmed = await holdAnswer(page, /\/verify-totp$/);
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await confirmed.given;
    await staysOpen(dialog);
    confirmed.letGo();
    await page.getByRole('heading', { name: 'Save your backup codes' }).waitFor();
    const codes = await dialog.getByRole('listitem').allInnerTexts();
    assert.equal(new Set(codes).size, 10);
    backupCode = codes[0] ?? '';
    await assertGood(page, 'two-factor: the backup codes');
    await dialog.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByRole('button', { name: 'Turn off…' }).waitFor();
    await seeText(page, 'You enter a code from your authenticator app each time you sign in.');
  });

  test('from then on the password alone opens nothing, and the app’s code does', async () => {
    const { page } = owner;
    await signOut(owner);
    await enter(owner, owner.email, PASSWORD);
    await seeHeading(page, 'One more step');
    await assertGood(page, 'the second step');
    const visitor = await owner.context.newPage();
    await visitor.goto(`${site.service.baseUrl}/dashboard/schedules`);
    await seeHeading(visitor, 'Sign in');
    await visitor.close();
    await page.getByLabel('Six-digit code').fill(appCode(appKey(secret), 1));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await seeHeading(page, 'Overview');
  });

  test('the dialog cannot be left while new backup codes are made: they are shown only once', async () => {
    const { page } = owner;
    const made = Promise.withResolvers<void>();
    // The test responds instead of the service: one more password would be refused, and the earlier codes are used below.
    await page.route(/\/generate-backup-codes$/, async (route) => {
      await made.promise;
      await route.fulfill({ json: { status: true, backupCodes: ['first-code', 'second-code'] } });
    });
    await owner.open('/settings/security');
    await press(page, 'New backup codes…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByLabel('Code', { exact: true }).fill('000000');
    const asked = page.waitForRequest(/\/generate-backup-codes$/);
    await press(dialog, 'Create new codes');
    await asked;
    await staysOpen(dialog);
    made.resolve();
    await page.getByRole('heading', { name: 'Your new backup codes' }).waitFor();
    assert.deepEqual(await dialog.getByRole('listitem').allInnerTexts(), [
      'first-code',
      'second-code',
    ]);
    await press(dialog, 'I have saved them');
    await gone(dialog);
    await page.unrouteAll();
  });

  test('a passkey, which needs no second factor, is added only with a code', async () => {
    const { page } = owner;
    await owner.open('/settings/security');
    await press(page, 'Add a passkey…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Work laptop');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await press(dialog, 'Continue');
    await dialog.getByText('Enter a code.').waitFor();
    await assertGood(page, 'adding a passkey with two-factor on');
    await press(dialog, 'Cancel');
    await gone(dialog);
  });

  test('a backup code opens it too, once', async () => {
    const { page } = owner;
    await signOut(owner);
    await enter(owner, owner.email, PASSWORD);
    await useBackupCode(page);
    await seeHeading(page, 'Overview');
    await signOut(owner);
    await enter(owner, owner.email, PASSWORD);
    await useBackupCode(page);
    await seeText(page, 'That backup code is incorrect or has already been used.');
    await assertGood(page, 'a used backup code');
  });

  async function useBackupCode(page: Page): Promise<void> {
    await seeHeading(page, 'One more step');
    await page.getByRole('button', { name: 'Use a backup code' }).click();
    await page.getByLabel('Backup code').fill(backupCode);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
});
