// Slow: goes through every part of the console in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createOperator } from '../../server/src/operators/access/service.ts';
import { freePort } from '../../server/test-support/free-ports.ts';
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../server/test-support/identity-provider.ts';
import { newSchedule } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText } from './account.ts';
import { type Site, startSite } from './dashboard.ts';
import { card, gone, press, rowsOf } from './look.ts';

const REASON = 'Complaints of three customers, see ticket 4711';

describe('the operators’ console', () => {
  let site: Site;
  let page: Page;
  let key: string;
  let provider: IdentityProvider;
  const open = async (path: string): Promise<void> => {
    await page.goto(`${site.service.running.operatorUrl}/console${path}`);
    await page.locator('h1').first().waitFor();
  };
  const decide = async (label: string): Promise<void> => {
    await press(page, label);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(REASON);
    await assertGood(page, `console, ${label}`);
    await press(dialog, label);
    await gone(dialog);
  };

  before(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    provider = await startIdentityProvider([`${url}/console/sso/return`]);
    site = await startSite({
      OPERATOR_PORT: String(port),
      OPERATOR_URL: url,
      OPERATOR_SSO_ISSUER: provider.issuer,
      OPERATOR_SSO_CLIENT_ID: provider.client.client_id,
      OPERATOR_SSO_CLIENT_SECRET: provider.client.client_secret,
    });
    const { platform } = site.service.running;
    const now = platform.clock.now();
    ({ secret: key } = await platform.db.transaction((tx) =>
      createOperator({ platform, tx, now }, 'Robin Fern', 'a test'),
    ));
    ({ page } = await site.stranger());
  });
  afterEach(() => site.assertQuiet());
  after(async () => {
    await provider?.close();
    await site?.close();
  });

  test('an operator signs in with their key, and a wrong one is refused at its field', async () => {
    await page.goto(site.service.running.operatorUrl);
    await seeHeading(page, 'Operators’ console');
    await assertGood(page, 'console, sign-in');
    await page.getByLabel('Your operator’s key').fill('ro_test_wrong');
    await press(page, 'Sign in');
    await seeText(page, 'This key is not valid.');
    await open('/merchants'); // leads to the sign-in, and back
    await page.getByLabel('Your operator’s key').fill(key);
    await press(page, 'Sign in');
    await seeHeading(page, 'Merchants');
    const cookies = await page.context().cookies();
    const session = cookies.find(({ name }) => name === 'recollect.operator');
    assert.deepEqual([session?.httpOnly, session?.sameSite], [true, 'Strict']);
    assert.ok(!session?.value.includes(key.slice(-20)), 'the key itself is not in the cookie');
  });

  test('the overview says how the service is', async () => {
    await open('/');
    await card(page, 'Health of this process').getByText('Engine').waitFor();
    const parts = rowsOf(page, 'Parts of the service');
    await parts.filter({ hasText: /more banks.*Not called yet/ }).waitFor();
    assert.equal(await parts.getByText('Not called yet').count(), 1, 'one line for all of them');
    await card(page, 'Needs a decision').getByText('No decisions pending').waitFor();
    await seeText(page, 'Signed in as Robin Fern');
    await assertGood(page, 'console, overview');
  });

  test('a merchant is suspended and its pay-outs are held, each with a reason that the page shows', async () => {
    await open('/merchants');
    // The search is still to come when the page is left, and the next page takes longer to load.
    await page.route(/merchant-page/, async (route) => {
      await setTimeout(1000);
      await route.continue();
    });
    const gym = page.getByRole('link', { name: 'Fernhill Gym' });
    await gym.waitFor();
    await page.getByLabel('Search merchants').fill('fernhill');
    await gym.click();
    await seeHeading(page, 'Fernhill Gym');
    await decide('Suspend');
    await seeText(page, `“${REASON}” (Robin Fern`);
    await decide('Hold pay-outs');
    await seeText(page, 'Pay-outs are held');
    await assertGood(page, 'console, a merchant on hold');
    await open('/merchants?hold=suspended');
    await page.getByRole('link', { name: 'Fernhill Gym' }).waitFor();
    await assertGood(page, 'console, merchants');
    await page.getByRole('link', { name: 'Fernhill Gym' }).click();
    await decide('Resume');
    await decide('Release pay-outs');
    await page.locator('header').getByText('Active', { exact: true }).waitFor();
  });

  test('fees are set, and shown with the day from which they hold', async () => {
    await press(page, 'Set fees…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Fixed part of each collection').fill('0.20');
    await dialog.getByLabel('Share of the amount, in per cent').fill('101');
    await press(dialog, 'Set fees');
    await seeText(page, 'Enter 0 to 100, with up to two decimals.');
    await dialog.getByLabel('Share of the amount, in per cent').fill('1.25');
    await assertGood(page, 'console, fees');
    await press(dialog, 'Set fees');
    await gone(dialog);
    await card(page, 'Fees').getByText('1.25 %').waitFor();
    await card(page, 'Fees').getByText('£0.20').waitFor();
  });

  test('a merchant is created with its first owner, and found by a search', async () => {
    await open('/merchants');
    await page.getByRole('link', { name: 'New merchant' }).click();
    await seeHeading(page, 'New merchant');
    await press(page, 'Create merchant');
    await seeText(page, 'Sort code is required.');
    await assertGood(page, 'console, a new merchant');
    for (const [label, text] of [
      ['Name', 'Oakdale Yoga'],
      ['Email address for customers', 'help@oakdale.example'],
      ['Website', 'oakdale'],
      ['Address', '2 Oak Dale, York YO1 7HH'],
      ['Terms and conditions', 'Cancel at any time.'],
      ['Account holder', 'Oakdale Yoga Ltd'],
      ['Sort code', '08-99-99'],
      ['Account number', '66374958'],
      ['Owner’s name', 'Dana Oak'],
      ['Owner’s email address', 'dana@oakdale.example'],
    ] as const)
      await page.getByLabel(new RegExp(`^${label}`)).fill(text);
    await press(page, 'Create merchant');
    await seeText(page, /URL starting with https/);
    await page.getByLabel('Website').fill('https://oakdale.example');
    await press(page, 'Create merchant');
    await seeText(page, 'This key will not be shown again.');
    await assertGood(page, 'console, a merchant that is ready');
    await press(page.getByRole('dialog'), 'Done');
    await seeHeading(page, 'Oakdale Yoga');
    await open('/search');
    await page.getByLabel('Search everything').fill('oakdale');
    const matches = page.getByRole('table', { name: 'Matches' });
    await matches.getByText('dana@oakdale.example').waitFor();
    await assertGood(page, 'console, search');
    await matches.getByRole('link', { name: 'Oakdale Yoga' }).click();
    await seeHeading(page, 'Oakdale Yoga');
  });

  test('a customer of any merchant is found by a beginning of the name and a reason, and the address has no name', async () => {
    await newSchedule(site.service, {
      customer: { phone: '+447700900555', name: 'Olivia Featherstonehaugh', reference: 'C-1042' },
    });
    await open('/search');
    await page.getByLabel('Search everything').fill('stonehaugh');
    await seeText(page, 'To find customers by name');
    const known = page.getByLabel('Name, phone number, email or reference');
    assert.equal(await known.inputValue(), 'stonehaugh');
    await open('/search');
    await known.fill('feather');
    await press(page, 'Find customers');
    await seeText(page, 'Say who asked, and when.');
    await page.getByLabel('Reason').fill(REASON);
    await press(page, 'Find customers');
    const customers = page.getByRole('table', { name: 'Customers' });
    await customers.getByText('C-1042').waitFor();
    await assertGood(page, 'console, customers found');
    assert.doesNotMatch(page.url(), /feather/i);
    await customers.getByRole('link', { name: 'Olivia Featherstonehaugh' }).click();
    await page.getByRole('heading', { level: 1, name: /^Customer of / }).waitFor();
  });

  test('an operator asks for another, and takes the request back; a key of their own is shown once', async () => {
    await open('/operators');
    await press(page, 'New operator');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Kim Oak');
    await dialog.getByLabel('Email address').fill('kim@fern.example');
    await dialog.getByLabel('Payments').check();
    await dialog.getByLabel('Reason').fill(REASON);
    await assertGood(page, 'console, a new operator');
    await press(dialog, 'Ask for it');
    await gone(dialog);
    const waiting = page.getByRole('table', { name: 'Waiting for a second operator' });
    await waiting.getByText('Make Kim Oak an operator').waitFor();
    await press(page, 'Take back…');
    await dialog.getByLabel('Reason').fill(REASON);
    await press(dialog, 'Take back');
    await gone(dialog);
    await page.getByRole('link', { name: 'Robin Fern' }).click();
    await seeHeading(page, 'Robin Fern');
    await press(page, 'New key');
    await dialog.getByLabel('Name of the key').fill('laptop');
    await press(dialog, 'Create');
    await seeText(page, 'This key will not be shown again.');
    await assertGood(page, 'console, a new key');
    await press(dialog, 'Done');
    await assertGood(page, 'console, an operator');
  });

  test('every list of the console is shown, also where nothing waits', async () => {
    for (const [path, heading, words] of [
      ['/decisions', 'Needs a decision', 'No decisions pending'],
      ['/reconciliation', 'Reconciliation', 'Our books and the issuer’s agree'],
      ['/users', 'Users', 'Users'],
    ] as const) {
      await open(path);
      await seeHeading(page, heading);
      await seeText(page, words);
      await assertGood(page, `console, ${heading}`);
    }
  });

  test('orders to a bank are stopped and resumed, and the activity names who and why, as a file too', async () => {
    await open('/banks');
    const choose = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for Northbank' }).click();
      await page.getByRole('menuitem', { name: `${action}…` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('No payment waits for this bank now.').waitFor();
      await dialog.getByLabel('Reason').fill(REASON);
      await press(dialog, action);
      await gone(dialog);
    };
    await choose('Stop');
    await page.getByText('Stopped', { exact: true }).waitFor();
    await assertGood(page, 'console, banks');
    await choose('Resume');
    await page.getByText('Stopped', { exact: true }).waitFor({ state: 'detached' });
    await open('/activity');
    await page.getByRole('table', { name: 'Activity' }).getByText(REASON).first().waitFor();
    await assertGood(page, 'console, activity');
    const arrives = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    assert.match((await arrives).suggestedFilename(), /^activity-.*[.]csv$/);
  });

  test('another website cannot use the session, and signing out ends it', async () => {
    const { operatorUrl } = site.service.running;
    const cookies = await page.context().cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const send = (headers: Record<string, string>) =>
      page.context().request.post(`${operatorUrl}/admin/v1/operators`, {
        headers: { cookie, 'content-type': 'application/json', ...headers },
        data: { name: 'Mallory' },
      });
    assert.equal((await send({ 'sec-fetch-site': 'cross-site' })).status(), 403);
    assert.equal((await send({ origin: 'https://evil.example' })).status(), 403);
    await open('/');
    await press(page, 'Sign out');
    await seeHeading(page, 'Operators’ console');
    await open('/operators');
    await seeHeading(page, 'Operators’ console');
  });

  test('an operator whose address is entered signs in through the provider, and a stranger is told what to do', async () => {
    provider.accounts.set('robin', { sub: '1', email: 'robin@fern.example', email_verified: true });
    const through = () =>
      page.getByRole('link', { name: 'Sign in with your company’s account' }).click();
    await open('/sign-in');
    await seeText(page, 'recollect operator create');
    await through();
    await page.getByRole('link', { name: 'robin' }).click();
    await seeText(page, 'You aren’t an operator yet');
    await assertGood(page, 'console, sign-in of a stranger');
    await page.getByLabel('Your operator’s key').fill(key);
    await press(page, 'Sign in');
    await seeHeading(page, 'Overview');
    await open('/operators');
    await page.getByRole('link', { name: 'Robin Fern' }).click();
    await press(page, 'Set address…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address at your company’s sign-in').fill('robin@fern.example');
    await dialog.getByLabel('Reason').fill(REASON);
    await assertGood(page, 'console, single sign-on of an operator');
    await press(dialog, 'Save');
    await gone(dialog);
    await seeText(page, 'not used yet');
    await press(page, 'Sign out');
    await seeHeading(page, 'Operators’ console');
    await open('/banks'); // leads to the sign-in, and back
    await through(); // the provider still knows them
    await seeHeading(page, 'Banks');
    await seeText(page, 'Signed in as Robin Fern');
  });
});
