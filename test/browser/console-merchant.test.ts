// Slow: goes through what operators do for a merchant in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { assertGood, seeText, textOf } from './account.ts';
import { type ConsoleVisitor, operatorOf } from './console-page.ts';
import { type Site, startSite } from './dashboard.ts';
import { card, gone, press } from './look.ts';

const REASON = 'Ms Elm by phone, see ticket 4711';
const HOSTILE = '<img src=x onerror=alert(1)>';

describe('a merchant in the operators’ console', () => {
  let site: Site;
  let robin: ConsoleVisitor;
  before(async () => {
    site = await startSite();
    await site.service.advance('PT1M'); // opens the wallet from which a name is checked
    robin = await operatorOf(site, 'Robin Fern');
    await robin.open(`/merchants/${site.service.merchantId}`);
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('a key is made for a reason and shown once, then revoked, and the page says so', async () => {
    const { page } = robin;
    await press(card(page, 'API keys'), 'New key…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(HOSTILE);
    await dialog.getByLabel('Addresses it works from').fill('here');
    await press(dialog, 'Create key');
    await seeText(page, 'Say why.');
    await dialog.getByLabel('Reason').fill(REASON);
    await press(dialog, 'Create key');
    await seeText(page, /an IP address or a range such as/);
    await assertGood(page, 'console, a new key of a merchant');
    await dialog.getByLabel('Addresses it works from').fill('');
    await press(dialog, 'Create key');
    await seeText(page, 'This key will not be shown again.');
    await assertGood(page, 'console, the new key of a merchant');
    const key = await textOf(dialog.locator('code'));
    assert.equal(
      (await site.service.running.service.authenticate(key))?.merchantId,
      site.service.merchantId,
    );
    await press(dialog, 'Done');
    await gone(dialog);
    const row = card(page, 'API keys').getByRole('row').filter({ hasText: HOSTILE });
    await row.getByText(`rk_test_…${key.slice(-4)}`).waitFor();
    await assertGood(page, 'console, a merchant');
    await press(row, 'Revoke…');
    await robin.decide(REASON, 'Revoke key', 'console, a key to revoke');
    await row.getByText('Revoked').waitFor();
    assert.equal(await site.service.running.service.authenticate(key), null);
  });

  test('somebody is put on the team by a link that is shown once', async () => {
    const { page } = robin;
    await press(card(page, 'Details'), 'Add to the team…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(HOSTILE);
    await dialog.getByLabel('Email address').fill('pat@fernhill.example');
    await dialog.getByLabel('Role').selectOption('finance');
    await assertGood(page, 'console, somebody to put on a team');
    await press(dialog, 'Create link');
    await seeText(page, 'Hand this link to');
    assert.match(await textOf(dialog.locator('code')), /new-password\?token=/);
    await press(dialog, 'Done');
    await gone(dialog);
  });

  test('what the payment scheme knows of a merchant is changed for a reason', async () => {
    const { page } = robin;
    const scheme = card(page, 'Payment scheme');
    await scheme.getByText('Not recorded').waitFor();
    await press(scheme, 'Change…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Merchant category code').fill('48');
    await dialog.getByLabel('Reason').fill(REASON);
    await press(dialog, 'Save');
    await seeText(page, 'Enter 3 or 4 digits.');
    await assertGood(page, 'console, what the scheme knows of a merchant');
    await dialog.getByLabel('Merchant category code').fill('4899');
    await dialog.getByLabel('Use case').selectOption('Energy, water, telecoms');
    await dialog.getByLabel('Purpose').selectOption('Utilities (UBIL)');
    await press(dialog, 'Save');
    await gone(dialog);
    for (const text of ['Energy, water, telecoms', '4899', 'Utilities (UBIL)'])
      await scheme.getByText(text).waitFor();
  });

  test('another settlement account takes a second operator, who compares every digit', async () => {
    const { page } = robin;
    const account = card(page, 'Settlement account');
    await press(account, 'Check the name');
    await account.getByText('The bank confirms the name').waitFor();
    await press(account, 'Change…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Account holder').fill(HOSTILE);
    await dialog.getByLabel('Sort code').fill('20');
    await dialog.getByLabel('Account number').fill('44444444');
    await dialog.getByLabel('Reason').fill(REASON);
    await press(dialog, 'Ask for the change');
    await seeText(page, 'Must be 6 digits.');
    await assertGood(page, 'console, another settlement account');
    await dialog.getByLabel('Sort code').fill('20-00-00');
    await press(dialog, 'Ask for the change');
    await gone(dialog);
    await account.getByText('Unless a second operator agrees').waitFor();
    assert.equal(await account.getByRole('button', { name: 'Agree…' }).count(), 0, 'not alone');
    const kim = await operatorOf(site, 'Kim Ash');
    await kim.open(`/merchants/${site.service.merchantId}`);
    const seen = card(kim.page, 'Settlement account');
    await seen.getByText('44444444').waitFor();
    await seen.getByText('The name does not match').waitFor();
    await assertGood(kim.page, 'console, a settlement account to agree with');
    await press(seen, 'Agree…');
    await kim.decide(REASON, 'Agree', 'console, agreeing with a settlement account');
    await seen.getByText('It takes effect on').waitFor();
    await robin.open(`/merchants/${site.service.merchantId}`);
    await press(account, 'Take back…');
    await robin.decide(REASON, 'Take back');
    await account.getByText('This account is about to change').waitFor({ state: 'detached' });
  });
});
