// Slow: waits for pages that follow what happens in another browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { freePort } from '../../server/test-support/free-ports.ts';
import { type PortalBench, portalBench } from '../../server/test-support/portal-fixture.ts';
import { seeHeading, seeText } from './account.ts';
import { assertReads, watchPage } from './axe-page.ts';
import { besideChromium } from './chromium.ts';
import { press } from './look.ts';
import { type Sites, startSites } from './sites.ts';

const DESKTOP = { width: 1440, height: 900 };
/** Longer than a page that follows takes to look again. */
const A_LOOK_MS = 5000;
const PHONE = { width: 375, height: 812 };

describe('a customer whose bank app is on another device', () => {
  let bench: PortalBench;
  let sites: Sites;
  let browser: Browser;
  let portal: string;
  const complaints: string[] = [];

  before(async () => {
    [sites, browser] = await besideChromium(startSites());
    const port = await freePort();
    portal = `http://localhost:${port}`;
    bench = await portalBench({ baseUrl: portal, port });
    bench.banks.alder.signIn = sites.bankUrl;
    await bench.app.listen({ port, host: '127.0.0.1' });
  });
  after(async () => {
    await browser?.close();
    await bench?.close();
    await sites?.close();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    assert.deepEqual(complaints.splice(0), []);
  });

  async function open(url: string, options: BrowserContextOptions): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage();
    watchPage(page, [portal, ...sites.origins], complaints);
    await page.goto(url);
    return page;
  }

  async function newLink() {
    const { merchantId } = await bench.merchant({ returnUrl: sites.merchantUrl });
    const { view } = await bench.schedule(merchantId);
    return { url: view.consent_url ?? '', merchantId, scheduleId: view.id };
  }

  async function leave(page: Page): Promise<void> {
    await page.getByLabel('Alder Bank').check();
    await press(page, 'Continue to your bank');
    await seeHeading(page, 'Sign in');
  }

  test('the phone opens the link and does it all; the desktop ends at the closing page on its own', async () => {
    const { url } = await newLink();
    const desktop = await open(url, { viewport: DESKTOP });
    await desktop.getByRole('img', { name: 'QR code of the link to this page' }).waitFor();
    await seeText(desktop, 'This page shows when you have finished.');
    await assertReads(desktop, 'the request beside a QR code');
    const phone = await open(url, { viewport: PHONE });
    await leave(phone);
    await press(phone, 'Approve');
    await seeHeading(phone, 'Welcome back to the merchant');
    await seeHeading(desktop, 'Thank you, you’re all set');
    assert.equal(new URL(desktop.url()).pathname, `${new URL(url).pathname}/done`);
    await desktop.getByRole('link', { name: 'Back to Fernhill Broadband' }).waitFor();
  });

  test('the desktop shows that the customer declined on the phone, or that the terms changed', async () => {
    const [declined, changed] = [await newLink(), await newLink()];
    const first = await open(declined.url, { viewport: DESKTOP });
    const second = await open(changed.url, { viewport: DESKTOP });
    const phone = await open(declined.url, { viewport: PHONE });
    await press(phone, 'Decline');
    await seeHeading(phone, 'Decline this request?');
    await press(phone, 'Decline');
    await bench.update(changed.merchantId, changed.scheduleId, {
      amount: { value: 3999, currency: 'GBP' },
    });
    await seeHeading(first, 'You declined');
    await second.getByRole('heading', { name: 'The terms have changed' }).waitFor();
    await seeText(second, 'Before: £34.99');
  });

  test('a customer who goes on at the desktop is not interrupted, whatever else happens to the link', async () => {
    const { url, merchantId, scheduleId } = await newLink();
    const desktop = await open(url, { viewport: DESKTOP });
    let isAsked = false;
    await desktop.route('**/bank', async (route) => {
      await bench.update(merchantId, scheduleId, { amount: { value: 3999, currency: 'GBP' } });
      await sleep(A_LOOK_MS);
      isAsked = true;
      await route.continue();
    });
    await desktop.getByLabel('Alder Bank').check();
    await press(desktop, 'Continue to your bank');
    await desktop.getByRole('heading', { name: 'The terms have changed' }).waitFor();
    assert.ok(isAsked);
    assert.equal(desktop.url(), `${url}/bank`);
  });

  test('a page that followed for half an hour asks no more, and offers to be loaded again', async () => {
    const { url } = await newLink();
    const context = await browser.newContext({ viewport: DESKTOP });
    const desktop = await context.newPage();
    await desktop.clock.install();
    let asked = 0;
    desktop.on('request', (request) => {
      if (request.url().endsWith('/progress')) asked += 1;
    });
    await desktop.goto(url);
    const answered = desktop.waitForResponse('**/progress');
    await desktop.clock.runFor(5000);
    await answered;
    await desktop.clock.runFor(31 * 60_000);
    await seeText(desktop, 'Then reload this page.');
    assert.ok(asked < 200, `${asked} requests`);
    const before = asked;
    await desktop.clock.runFor(10 * 60_000);
    assert.equal(asked, before);
  });

  test('without scripts there is a link instead, and a phone shows no code and asks nothing', async () => {
    const { url } = await newLink();
    const still = await open(url, { viewport: DESKTOP, javaScriptEnabled: false });
    await still.getByRole('link', { name: 'reload this page' }).click();
    await seeHeading(still, 'Your bank has not confirmed yet');
    const phone = await (await browser.newContext({ viewport: PHONE })).newPage();
    await phone.clock.install();
    const asked: string[] = [];
    phone.on('request', (request) => asked.push(request.url()));
    await phone.goto(url);
    assert.equal(await phone.locator('.hand-off').isVisible(), false);
    await phone.clock.runFor(10 * 60_000);
    assert.deepEqual(
      asked.filter((address) => address.endsWith('/progress')),
      [],
    );
  });
});
