// Slow: looks at every state of the portal in a browser.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { freePort } from '../../server/test-support/free-ports.ts';
import {
  type PortalBench,
  portalBench,
  tokenOf,
} from '../../server/test-support/portal-fixture.ts';
import { assertAccessible } from './axe.ts';
import { assertReads, bytesOf, watchPage } from './axe-page.ts';
import { besideChromium } from './chromium.ts';
import { type Sites, startSites } from './sites.ts';

/** The smallest supported phone, and the most bytes that a page may transfer. */
const SMALL = { width: 320, height: 640 };
const MAX_BYTES = 100 * 1024;
const EIGHT_DAYS = Temporal.Duration.from({ hours: 8 * 24 });

interface Link {
  url: string;
  merchantId: string;
  scheduleId: string;
}

describe('every state of the portal in a browser', () => {
  let bench: PortalBench;
  let sites: Sites;
  let browser: Browser;
  let page: Page;
  let portal: string;
  const complaints: string[] = [];

  before(async () => {
    [sites, browser] = await besideChromium(startSites());
    const port = await freePort();
    portal = `http://localhost:${port}`;
    bench = await portalBench({ baseUrl: portal, port });
    bench.banks.alder.signIn = sites.bankUrl;
    await bench.app.listen({ port, host: '127.0.0.1' });
    page = await browser.newPage({ viewport: SMALL });
    watchPage(page, [portal, ...sites.origins], complaints);
  });
  after(async () => {
    await browser?.close();
    await bench?.close();
    await sites?.close();
    assert.deepEqual(complaints, []);
  });

  async function newLink(): Promise<Link> {
    const { merchantId } = await bench.merchant({ returnUrl: null });
    const { view } = await bench.schedule(merchantId);
    return { url: view.consent_url ?? '', merchantId, scheduleId: view.id };
  }

  async function goToBank(url: string): Promise<void> {
    await page.goto(url);
    await page.getByLabel('Alder Bank').check();
    await page.getByRole('button', { name: 'Continue to your bank' }).click();
  }

  async function answer(url: string, button: 'Approve' | 'Refuse'): Promise<void> {
    await goToBank(url);
    await page.getByRole('button', { name: button }).click();
  }

  async function agreed(): Promise<Link> {
    const link = await newLink();
    await answer(link.url, 'Approve');
    await sees('Thank you, you’re all set');
    return link;
  }

  const judged = new Set<string>();

  /** Asserts that the page with this heading is shown, is accessible and fits every phone; each `state` is checked once. */
  async function sees(heading: string, state = heading): Promise<void> {
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    if (judged.has(state)) return;
    judged.add(state);
    await assertAccessible(page, state);
    await assertReads(page, state);
  }

  const shows = (text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();

  test('what is asked, and a bank that is not there: nothing has happened, and it can be tried again', async () => {
    const { url } = await newLink();
    await page.goto(url);
    await page.locator('#terms summary').click();
    await sees('Full fibre 300 and line rental');
    for (const text of ['£34.99', 'every month on the 31st', 'Up to £34.99 per month'])
      await shows(text);
    await shows('Tuesday 31 March 2026');
    bench.banks.alder.isDown = true;
    await goToBank(url);
    await sees('Full fibre 300 and line rental', 'an outage');
    await shows('Alder Bank is not responding at the moment.');
    assert.ok(await page.getByLabel('Alder Bank').isChecked(), 'the bank is still chosen');
    bench.banks.alder.isDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('a bank that goes silent at the end can be asked again with the same answer', async () => {
    const { url } = await newLink();
    await goToBank(url);
    bench.banks.alder.isDown = true;
    await page.getByRole('button', { name: 'Approve' }).click();
    await sees('Your bank is not responding');
    bench.banks.alder.isDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await sees('Thank you, you’re all set');
  });

  test('a no is asked for, then taken, and said of the link from then on', async () => {
    const { url } = await newLink();
    await page.goto(`${url}/decline`);
    await sees('Decline this request?');
    await page.getByRole('button', { name: 'Decline' }).click();
    await sees('You declined');
    await shows('Questions? Ask Fernhill Broadband at');
    await page.goto(`${url}/decline`);
    await sees('You declined');
  });

  test('an account that the bank does not take: the customer learns how to try another', async () => {
    const { url } = await newLink();
    bench.banks.alder.says = 'RJCT';
    await answer(url, 'Approve');
    await sees('Your bank did not accept this');
    bench.banks.alder.says = 'AUTH';
    await shows('To try another account or bank, ask Fernhill Broadband for a new link.');
  });

  test('an answer of the bank that nobody knows, and one that does not hold', async () => {
    await page.goto(`${portal}/consent/callback#code=good&state=unknown`);
    await sees('We could not match your bank’s response');
    await page.goto(`${portal}/consent/callback`);
    await sees('Back from your bank');
    await page.goto(`${portal}/consent/nonsense`);
    await sees('This link is not valid');
    const { url } = await newLink();
    await goToBank(url);
    const state = new URL(page.url()).searchParams.get('state');
    await page.goto(`${portal}/consent/callback#code=bad&state=${state}`);
    await sees('We could not accept your bank’s response');
    await page.getByRole('link', { name: 'Go back and try again' }).click();
    await sees('Full fibre 300 and line rental');
  });

  test('a link that has run out says so, and where to get another', async () => {
    const { url } = await newLink();
    const { clock } = bench.platform;
    const start = clock.at;
    clock.at = start.add(EIGHT_DAYS);
    await page.goto(url);
    await sees('This link has expired');
    clock.at = start;
    await shows('ask Fernhill Broadband for a new link');
  });

  test('what was agreed can be seen later, raised with a new yes, and withdrawn', async () => {
    const { url, merchantId, scheduleId } = await agreed();
    await page.getByRole('link', { name: 'See my payments' }).click();
    await sees('Full fibre 300 and line rental', 'payments');
    await shows('£34.99 on Tuesday 31 March 2026');
    await shows('Your account at Alder Bank');
    await shows(/Fernhill Broadband, \d\d-\d\d-\d\d, \d{8}/);
    await shows('On your bank statement: ');
    await shows('Another account');
    const raised = await bench.update(merchantId, scheduleId, {
      amount: { value: 3999, currency: 'GBP' },
    });
    await page.reload();
    await page.getByRole('link', { name: 'See the new terms' }).click();
    await page.waitForURL(new RegExp(tokenOf(raised)));
    await sees('Full fibre 300 and line rental', 'new terms');
    await shows('Now: £34.99');
    await page.getByRole('button', { name: 'Keep my current terms' }).click();
    await sees('Keep your current terms?');
    await page.goto(url);
    await page.getByRole('button', { name: 'Withdraw permission' }).click();
    await sees('Withdraw your permission?');
    await page.getByRole('button', { name: 'Withdraw permission' }).click();
    await sees('Your permission has ended');
  });

  test('every page leads to who provides the service, and what to do about a wrong payment', async () => {
    await page.goto(`${portal}/consent/nonsense`);
    await page.getByRole('link', { name: 'Who we are, and how to complain' }).click();
    await sees('Who we are');
    for (const text of ['Example Payments Ltd', 'This is a sandbox.', 'Example E-money Ltd'])
      await shows(text);
    await page.getByRole('heading', { name: 'A payment is wrong' }).waitFor();
    await page.getByRole('link', { name: 'www.financial-ombudsman.org.uk' }).waitFor();
  });

  test('every page weighs under 100 KB with all that it loads, and lets no foreign script in', async () => {
    const { url } = await agreed();
    const waiting = await newLink();
    const pages = [
      url,
      `${url}/done`,
      `${url}/withdraw`,
      `${portal}/consent/about`,
      waiting.url,
      `${waiting.url}/decline`,
    ];
    for (const address of [...pages, `${portal}/consent/callback`, `${portal}/consent/x`]) {
      const bytes = await bytesOf(page, address);
      assert.ok(bytes > 1_000 && bytes < MAX_BYTES, `${address}: ${bytes} bytes`);
      const policy = (await page.reload())?.headers()['content-security-policy'] ?? '';
      assert.match(policy, /^default-src 'none'; style-src 'self'; /);
      assert.doesNotMatch(policy, /unsafe/);
      assert.equal(await page.locator('script:not([src]), style, [style]').count(), 0);
    }
  });
});
