// Slow: goes through single sign-on in several browsers.
import { after, afterEach, before, describe, test } from 'node:test';
import { appCode, appKey } from '../../server/test-support/authenticator-app.ts';
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../server/test-support/identity-provider.ts';
import {
  assertGood,
  choosePassword,
  passwordLink,
  seeHeading,
  seeText,
  signOut,
  textOf,
} from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { gone, press } from './look.ts';

const PASSWORD = 'correct horse battery';

/** One address is allowed 10 tries a minute: these tests make fewer. */
describe('single sign-on', () => {
  let site: Site;
  let owner: Person;
  let other: Person;
  let provider: IdentityProvider;
  let key: Buffer;

  before(async () => {
    site = await startSite();
    const { baseUrl, merchantId } = site.service;
    provider = await startIdentityProvider([`${baseUrl}/dashboard/auth/sso/${merchantId}/return`]);
    owner = await site.member('owner');
    other = await site.member('finance');
    provider.accounts.set('kim', { sub: 'kim', email: other.email, email_verified: true });
    provider.accounts.set('eve', {
      sub: 'eve',
      email: 'eve@elsewhere.example',
      email_verified: true,
    });
  });
  afterEach(() => site.assertQuiet());
  after(async () => {
    await provider?.close();
    await site?.close();
  });

  const card = () => owner.page.locator('.card').filter({ hasText: 'Single sign-on' }).last();

  test('an owner sets it up with the address to register, and what is wrong is said at its field', async () => {
    const { page } = owner;
    await choosePassword(owner, await passwordLink(site, owner.email), PASSWORD);
    await seeHeading(page, 'Overview');
    await owner.open('/settings/security');
    await press(page, 'Set up');
    const setUp = page.getByRole('dialog');
    await setUp.getByLabel('Your password').fill(PASSWORD);
    await press(setUp, 'Continue');
    key = appKey((await textOf(setUp.locator('code'))).replaceAll(/\s/g, ''));
    await setUp.getByLabel('Code from the app').fill(appCode(key));
    await press(setUp, 'Turn on');
    await press(page.getByRole('dialog'), 'I have saved them');
    await owner.open('/settings/team');
    await card().getByRole('button', { name: 'Set up…' }).click();
    const dialog = page.getByRole('dialog');
    await seeText(page, '/return');
    await dialog.getByLabel('Issuer').fill(`${provider.issuer}/elsewhere`);
    await dialog.getByLabel('Client ID').fill(provider.client.client_id);
    await dialog.getByLabel('Client secret').fill(provider.client.client_secret);
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByLabel('Code', { exact: true }).fill(appCode(key, 1));
    await press(dialog, 'Save');
    await seeText(page, /No OpenID provider answers there/);
    await assertGood(page, 'single sign-on, a wrong issuer');
    await site.service.running.platform.db.transaction((tx) => tx.run('DELETE FROM used_codes'));
    await dialog.getByLabel('Issuer').fill(provider.issuer);
    await press(dialog, 'Save');
    await gone(dialog);
    await seeText(page, '0 of 2');
    await assertGood(page, 'single sign-on, set up');
  });

  test('a member comes in through the provider from the team’s address, and finds the way again', async () => {
    const { page } = other;
    await other.open('/');
    await signOut(other);
    await page.getByRole('link', { name: 'Use single sign-on' }).click();
    await seeHeading(page, 'Single sign-on');
    await assertGood(page, 'single sign-on, which team');
    await page
      .getByLabel('Your team’s sign-in address')
      .fill(`Sign in: ${site.service.merchantId}`);
    await press(page, 'Continue');
    await assertGood(page, 'single sign-on, the way out');
    await page.getByRole('link', { name: 'Continue to your company’s sign-in' }).click();
    await page.getByRole('link', { name: 'kim' }).click();
    await seeHeading(page, 'Overview');
    await other.open('/settings/security');
    await seeText(page, 'You signed in with your company’s account');
    await assertGood(page, 'single sign-on, your security');
    await signOut(other);
    await page.getByRole('link', { name: 'Sign in with your company’s account' }).waitFor();
    await assertGood(page, 'sign-in, with the provider of last time');
  });

  test('who is not on the team is told so, and what to do', async () => {
    const { page } = await site.stranger();
    const { baseUrl, merchantId } = site.service;
    await page.goto(`${baseUrl}/dashboard/single-sign-on?team=${merchantId}`);
    await page.getByRole('link', { name: 'Continue to your company’s sign-in' }).click();
    await page.getByRole('link', { name: 'eve' }).click();
    await seeText(page, 'You aren’t on this team yet');
    await assertGood(page, 'single sign-on, a stranger');
  });

  test('an owner requires it, and who comes another way is led to the provider and back to their page', async () => {
    const { page } = owner;
    await owner.open('/settings/team');
    await seeText(page, '1 of 2');
    await card().getByRole('button', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Require single sign-on').check();
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByLabel('Code', { exact: true }).fill(appCode(key, 1));
    await site.service.running.platform.db.transaction((tx) => tx.run('DELETE FROM used_codes'));
    await assertGood(page, 'single sign-on, required');
    await press(dialog, 'Save');
    await gone(dialog);
    await seeText(page, 'Yes, except for owners');
    await choosePassword(other, await passwordLink(site, other.email), PASSWORD);
    await seeHeading(other.page, 'Sign in with your company’s account');
    await assertGood(other.page, 'single sign-on is required');
    await other.open('/payments');
    await other.page.getByRole('link', { name: 'Continue' }).click(); // the provider still knows them
    await seeHeading(other.page, 'Payments');
  });
});
