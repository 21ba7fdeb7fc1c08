// Slow: looks at every page of the bank’s app in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Bench, startBench } from '../../sandbox/test-support/bank/bench.ts';
import { fundsBody } from '../../sandbox/test-support/bank/bodies.ts';
import { connect, granted, pay, type Tpp } from '../../sandbox/test-support/bank/tpp.ts';
import { assertAccessible } from './axe.ts';
import { assertReads, watchPage } from './axe-page.ts';
import { openChromium } from './chromium.ts';

const PIN = '1234';
const PHONE = { width: 390, height: 844 };
const PAYEE = 'Fernhill Broadband Ltd';
/** £500 a day: never a limit. */
const WIDE = {
  PeriodicLimits: [
    { PeriodType: 'Day', PeriodAlignment: 'Calendar', Amount: '500', Currency: 'GBP' },
  ],
};

describe('the app of the sandbox bank in a browser', () => {
  let bench: Bench;
  let tpp: Tpp;
  let browser: Browser;
  let app: string;
  let complaints: string[] = [];

  before(async () => {
    [bench, browser] = await Promise.all([startBench(), openChromium()]);
    tpp = await connect(bench);
    app = `${bench.config.public_pages_url}/northbank/app`;
  });
  after(async () => {
    await browser?.close();
    await tpp?.close();
    await bench?.stop();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    const found = complaints;
    complaints = [];
    assert.deepEqual(found, []);
  });

  /** Returns the app's home page, as this customer sees it after logging in. */
  async function openApp(login: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: PHONE, ...options });
    const page = await context.newPage();
    watchPage(page, [new URL(app).origin], complaints);
    await page.goto(app);
    await page.getByLabel('Customer name').fill(login);
    await page.getByLabel('PIN', { exact: true }).fill(PIN);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: /^Good / }).waitFor();
    return page;
  }

  const banner = (page: Page) => page.getByRole('status');
  const newest = (page: Page) => page.locator('[data-live=notifications] .push').first();

  test('a collection drops in on the open app automatically, and what was taken is off the balance', async () => {
    const grant = await granted(tpp, 'alex', WIDE);
    const page = await openApp('alex');
    await page.evaluate('globalThis.sameDocument = true');
    const before = await page.locator('.balance').first().textContent();
    await pay(tpp, grant, 'drop-1', '12.50');
    await banner(page).getByText(`${PAYEE} collected £12.50`).waitFor();
    assert.match((await newest(page).textContent()) ?? '', /£12\.50\s+Taken from your current/);
    assert.match((await newest(page).textContent()) ?? '', /Today, 09:00/);
    assert.notEqual(await page.locator('.balance').first().textContent(), before);
    await page.getByText('−£12.50').first().waitFor();
    await pay(tpp, grant, 'drop-2', '3.20');
    await banner(page).getByText(`${PAYEE} collected £3.20`).waitFor();
    assert.match((await newest(page).textContent()) ?? '', /£3\.20/);
    assert.ok(await page.evaluate('globalThis.sameDocument'), 'the page was not loaded again');
    await page.keyboard.press('Escape');
    await banner(page).getByText('£3.20').waitFor({ state: 'hidden' });
  });

  test('a collection that there is no money for says so, and why', async () => {
    const grant = await granted(tpp, 'nina', WIDE);
    const page = await openApp('nina');
    await page.getByText('Nothing yet.').waitFor();
    await pay(tpp, grant, 'short-1', '20');
    await banner(page).getByText(`${PAYEE} tried to collect £20.00`).waitFor();
    await newest(page).getByText('Not taken: not enough money in your current account').waitFor();
    const path = `/domestic-vrp-consents/${grant.consentId}/funds-confirmation`;
    const body = fundsBody(grant.consentId, '21');
    await tpp.call('POST', path, { body, token: grant.token });
    await banner(page).getByText(`${PAYEE} tried to collect £21.00`).waitFor();
    assert.equal(await page.locator('.balance').textContent(), '£0.00');
  });

  test('a collection that takes its time is on its way first, and becomes taken in place', async () => {
    const grant = await granted(tpp, 'sid', WIDE);
    const page = await openApp('sid');
    await pay(tpp, grant, 'slow-1', '7');
    await banner(page).getByText(`${PAYEE} is collecting £7.00`).waitFor();
    await newest(page).getByText('On its way from your current account').waitFor();
    await bench.clock('2026-12-01T13:00:00Z');
    await newest(page).getByText('Taken from your current account').waitFor();
    await page.getByText('Tue 1 Dec 2026, 13:00').waitFor();
  });

  test('without scripts the notification is there when the page is loaded again', async () => {
    const grant = await granted(tpp, 'alex', WIDE);
    const page = await openApp('alex', { javaScriptEnabled: false });
    await pay(tpp, grant, 'plain-1', '4.40');
    await page.reload();
    assert.match((await newest(page).textContent()) ?? '', /collected £4\.40/);
    await page.getByRole('link', { name: 'See all notifications' }).click();
    await page.getByRole('heading', { name: 'Notifications' }).waitFor();
    assert.match((await newest(page).textContent()) ?? '', /£4\.40/);
  });

  test('a customer sees what is used of a permission, and withdraws it after being asked', async () => {
    const grant = await granted(tpp, 'otto');
    await pay(tpp, grant, 'used-1', '19.99');
    const page = await openApp('otto');
    await page.getByRole('link', { name: 'Permissions', exact: true }).click();
    await page.getByRole('link', { name: new RegExp(`${PAYEE}.*SCH7K2M4P9Q`) }).click();
    await page.getByText('£19.99 used').waitFor();
    await page.getByText('£30.00 left').waitFor();
    await page.getByText('Up to £49.99 a month').first().waitFor();
    assert.ok(await page.getByRole('button', { name: 'Withdraw permission' }).isHidden());
    await page.getByText('Withdraw this permission').press('Enter');
    await page.getByText('Are you sure?').waitFor();
    await page.getByRole('button', { name: 'Withdraw permission' }).press('Enter');
    await page.getByText(`${PAYEE} can take nothing more under this permission.`).waitFor();
    const { body } = await tpp.call('GET', `/domestic-vrp-consents/${grant.consentId}`);
    assert.equal(body.Data.Status, 'CANC');
  });

  test('somebody who was logged out elsewhere is asked to log in, and sees nothing more', async () => {
    const page = await openApp('alex');
    const other = await page.context().newPage();
    await other.goto(app);
    await other.getByRole('button', { name: 'Log out' }).click();
    await page.bringToFront();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
  });

  test('every page is accessible in light and dark, and fits a small phone and large letters', async () => {
    const grant = await granted(tpp, 'sam', WIDE);
    await pay(tpp, grant, 'axe-1', '2');
    await pay(tpp, grant, 'axe-2', '20');
    const page = await openApp('sam');
    const pages = ['', '/notifications', '/permissions', `/consents/${grant.consentId}`];
    for (const path of pages) {
      await page.goto(`${app}${path}`);
      for (const details of await page.locator('main summary').all()) await details.click();
      // To what the tabs below cover, at once: a key's scrolling may still be under way when the page is looked at.
      await page.evaluate('scrollTo({ top: document.body.scrollHeight, behavior: "instant" })');
      await assertAccessible(page, `the app's page ${path}`);
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await assertReads(page, path);
      }
    }
    await page.goto(app);
    await pay(tpp, grant, 'axe-3', '1');
    await banner(page).getByText('£1.00').waitFor();
    await assertAccessible(page, 'the app with a notification');
    await page.goto(new URL('/', app).href);
    await assertAccessible(page, 'the list of banks');
  });

  test('the app runs its own script only, and asks nobody else', async () => {
    const page = await openApp('alex');
    const policy = (await page.reload())?.headers()['content-security-policy'] ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'self'; /);
    assert.match(policy, /; script-src 'self'; connect-src 'self'$/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(await page.locator('script:not([src]), [style], [onclick]').count(), 0);
  });
});
