import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { freePort } from '../../server/test-support/free-ports.ts';
import { type PortalBench, portalBench } from '../../server/test-support/portal-fixture.ts';
import { assertReads, watchPage } from './axe-page.ts';
import { openChromium } from './chromium.ts';
import { type Sites, startSites } from './sites.ts';

const MAX_KEYS = 60;
const PHONE = { width: 390, height: 844 };

/** Run in the page: the focused element, and how its focus is shown. */
interface Focused {
  text: string;
  outline: string;
}
const FOCUSED = `(() => {
  const { activeElement: on } = document;
  if (on === null || on === document.body) return null;
  const marked = on.closest('label') ?? on;
  const { outlineStyle, outlineWidth } = getComputedStyle(marked);
  return { text: marked.textContent.replaceAll(/\\s+/g, ' '), outline: outlineStyle + ' ' + outlineWidth };
})()`;

describe('the portal in a browser', () => {
  let bench: PortalBench;
  let sites: Sites;
  let browser: Browser;
  let portal: string;
  /** Problems on any page of the running test: errors in the console, requests to other hosts. */
  let complaints: string[] = [];

  before(async () => {
    sites = await startSites();
    const port = await freePort();
    portal = `http://localhost:${port}`;
    bench = await portalBench({ baseUrl: portal, port });
    bench.banks.alder.signIn = sites.bankUrl;
    await bench.app.listen({ port, host: '127.0.0.1' });
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await bench?.close();
    await sites?.close();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    const found = complaints;
    complaints = [];
    assert.deepEqual(found, []);
  });

  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: PHONE, ...options });
    const page = await context.newPage();
    watchPage(page, [portal, ...sites.origins], complaints);
    return page;
  }

  async function newLink(
    returnUrl: string | null = sites.merchantUrl,
  ): Promise<{ url: string; scheduleId: string }> {
    const { merchantId } = await bench.merchant({ returnUrl });
    const { view } = await bench.schedule(merchantId);
    return { url: view.consent_url ?? '', scheduleId: view.id };
  }

  async function agree(page: Page, url: string): Promise<void> {
    await page.goto(url);
    await page.getByLabel('Alder Bank').check();
    await page.getByRole('button', { name: 'Continue to your bank' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
  }

  /** Presses Tab until the element of this name has the focus; fails if the focus is not visible. */
  async function tabTo(page: Page, name: RegExp, press = 'Tab'): Promise<void> {
    for (let key = 0; key < MAX_KEYS; key += 1) {
      await page.keyboard.press(press);
      const focused = await page.evaluate<Focused | null>(FOCUSED);
      if (focused === null) continue;
      assert.match(focused.outline, /^(solid 3px|auto)/, `no focus to be seen on ${focused.text}`);
      if (name.test(focused.text)) return;
    }
    assert.fail(`the keyboard does not reach ${name}`);
  }

  test('with the keyboard alone a customer reads the terms, agrees, and is back at the shop', async () => {
    const page = await newPage();
    const { url, scheduleId } = await newLink();
    await page.goto(url);
    await page.keyboard.press('Tab');
    assert.equal((await page.evaluate<Focused>(FOCUSED)).text, 'Skip to your bank');
    await page.keyboard.press('Enter');
    await tabTo(page, /Alder Bank/);
    await page.keyboard.press('Space');
    await tabTo(page, /Continue to your bank/);
    await tabTo(page, /Terms and conditions of/);
    await page.keyboard.press('Enter');
    await page.getByText('We tell you at least ten days').waitFor();
    await tabTo(page, /Continue to your bank/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(new URL(page.url()).hostname, '127.0.0.1');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Welcome back to the merchant' }).waitFor();
    assert.equal(page.url(), `${sites.merchantUrl}?schedule_id=${scheduleId}&status=active`);
  });

  test('the answer of the bank leaves the address bar and the history', async () => {
    const page = await newPage();
    const { url } = await newLink();
    const seen: string[] = [];
    page.on('framenavigated', (frame) => seen.push(frame.url()));
    await agree(page, url);
    await page.getByRole('heading', { name: 'Welcome back to the merchant' }).waitFor();
    assert.ok(seen.some((address) => address.startsWith(`${portal}/consent/callback#code=`)));
    await page.goBack();
    assert.ok(!page.url().includes('code='), page.url());
  });

  test('a no at the bank brings the customer back with the schedule cancelled', async () => {
    const page = await newPage();
    const { url } = await newLink();
    await page.goto(url);
    await page.getByLabel('Alder Bank').check();
    await page.getByRole('button', { name: 'Continue to your bank' }).click();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.waitForURL(/status=cancelled/);
  });

  test('a no on the portal takes two pages and no script, and leads back to the merchant', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    const { url } = await newLink();
    await page.goto(url);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('heading', { name: 'Decline this request?' }).waitFor();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.waitForURL(/\/thanks\?.*status=cancelled/);
  });

  test('without scripts the customer is told why the bank cannot be answered', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(`${portal}/consent/callback#code=good&state=x`);
    const shown = await page.evaluate<string>("document.querySelector('main').innerText");
    assert.match(shown, /it is turned off in your browser/);
  });

  test('a callback without an answer says so', async () => {
    const page = await newPage();
    await page.goto(`${portal}/consent/callback`);
    await page.getByText('We did not receive an answer from your bank').waitFor();
  });

  test('where no bank was chosen the message is in sight and has the focus', async () => {
    const page = await newPage();
    await page.goto((await newLink()).url);
    await page.getByRole('button', { name: 'Continue to your bank' }).click();
    const message = page.getByRole('alert');
    await message.waitFor();
    assert.equal(
      (await message.textContent())?.replaceAll(/\s+/g, ' ').trim(),
      'Choose your bank to continue.',
    );
    assert.ok(await page.evaluate("document.activeElement.getAttribute('role') === 'alert'"));
  });

  test('a customer withdraws with the keyboard, and is asked first', async () => {
    const page = await newPage();
    const { url } = await newLink(null);
    await agree(page, url);
    await page.getByRole('heading', { name: 'Thank you, you’re all set' }).waitFor();
    await page.getByRole('link', { name: 'See my payments' }).click();
    await page.getByRole('heading', { name: 'Upcoming payments' }).waitFor();
    await tabTo(page, /Withdraw permission/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Withdraw your permission?' }).waitFor();
    await tabTo(page, /Withdraw permission/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your permission has ended' }).waitFor();
  });

  test('pages fit small phones and twice the size of text, in light and in dark', async () => {
    const { url } = await newLink();
    const granted = await newLink(null);
    await agree(await newPage(), granted.url);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [320, 390, 640, 1280]) {
        const page = await newPage({ viewport: { width, height: 800 }, colorScheme });
        for (const address of [url, granted.url, `${url}/decline`]) {
          await page.goto(address);
          await assertReads(page, address);
        }
      }
  });
});
