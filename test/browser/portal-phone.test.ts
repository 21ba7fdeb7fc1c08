// Slow: measures the customer's pages as a phone shows them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { freePort } from '../../server/test-support/free-ports.ts';
import { type PortalBench, portalBench } from '../../server/test-support/portal-fixture.ts';
import { seeHeading } from './account.ts';
import { assertReads } from './axe-page.ts';
import { besideChromium } from './chromium.ts';
import { press } from './look.ts';
import { type Sites, startSites } from './sites.ts';

const PHONE = { width: 375, height: 812 };
/** The largest amount of a payment. */
const MILLION = { value: 100_000_000, currency: 'GBP' };

/** Run in the page: the amounts that stand on two lines, or that reach beyond the part of the page that holds them. */
const BAD_AMOUNTS = `(() => {
  const bad = [];
  let seen = 0;
  const range = document.createRange();
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    for (const { 0: amount, index } of node.data.matchAll(/£[\\d,]+\\.\\d\\d/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + amount.length);
      const boxes = [...range.getClientRects()];
      if (boxes.length === 0) continue;
      seen += 1;
      const holder = node.parentElement.closest('.card').getBoundingClientRect();
      const isOut = boxes.some(({ left, right }) => left < holder.left || right > holder.right);
      if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1) bad.push(amount + ' is broken');
      if (isOut) bad.push(amount + ' is out of its card');
    }
  return { bad, seen };
})()`;

/** Run in the page: how far down an element begins. */
const topOf = (selector: string): string =>
  `Math.round(document.querySelector('${selector}').getBoundingClientRect().top + scrollY)`;

describe('the portal on a phone', () => {
  let bench: PortalBench;
  let sites: Sites;
  let browser: Browser;
  let page: Page;

  before(async () => {
    [sites, browser] = await besideChromium(startSites());
    const port = await freePort();
    bench = await portalBench({ baseUrl: `http://localhost:${port}`, port });
    bench.banks.alder.signIn = sites.bankUrl;
    await bench.app.listen({ port, host: '127.0.0.1' });
    page = await browser.newPage({ viewport: PHONE });
  });
  after(async () => {
    await browser?.close();
    await bench?.close();
    await sites?.close();
  });

  async function newLink(changes: object = {}): Promise<string> {
    const { merchantId } = await bench.merchant({ returnUrl: null });
    return (await bench.schedule(merchantId, changes)).view.consent_url ?? '';
  }

  async function agree(url: string): Promise<void> {
    await page.goto(url);
    await page.getByLabel('Alder Bank').check();
    await press(page, 'Continue to your bank');
    await press(page, 'Approve');
    await seeHeading(page, 'Thank you, you’re all set');
  }

  test('no amount is broken or runs over its card, at a million pounds', async () => {
    const url = await newLink({ amount: MILLION, first_payment: { amount: MILLION } });
    const granted = await newLink({ amount: MILLION });
    await agree(granted);
    for (const address of [url, granted, `${granted}/all`]) {
      await page.goto(address);
      const { bad, seen } = await page.evaluate<{ bad: string[]; seen: number }>(BAD_AMOUNTS);
      assert.ok(seen > 0, address);
      assert.deepEqual(bad, [], address);
      await assertReads(page, address);
    }
  });

  test('who wants to stop finds the way on the first screen, and what follows before it is final', async () => {
    const url = await newLink();
    await agree(url);
    await page.goto(url);
    const link = page.getByRole('link', { name: 'Withdraw permission' });
    const box = await link.boundingBox();
    assert.ok(box !== null && box.y + box.height <= PHONE.height, JSON.stringify(box));
    await link.click();
    await seeHeading(page, 'Withdraw your permission?');
    await page.getByText('will not be able to collect any more payments').waitFor();
    const last = await page.getByRole('button', { name: 'Withdraw permission' }).boundingBox();
    assert.ok(last !== null && last.y + last.height <= PHONE.height, 'both on one screen');
    await press(page, 'Withdraw permission');
    await seeHeading(page, 'Your permission has ended');
  });

  test('the banks come soon after the limits, which stand before the choice, and both are named once', async () => {
    await page.goto(await newLink());
    const [limits, banks] = [
      await page.evaluate<number>(topOf('.hero .ticks')),
      await page.evaluate<number>(topOf('.choices')),
    ];
    assert.ok(limits < banks && banks < PHONE.height * 1.25, `${limits} ${banks}`);
    await page.getByText('Up to £34.99 per month, counted from').waitFor();
    assert.equal(await page.getByText(/Choose your bank/).count(), 1);
  });

  test('the first stop of the keyboard skips to the banks, on other pages to the content', async () => {
    const url = await newLink();
    await page.goto(url);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to your bank');
    assert.ok((await page.locator('.skip').boundingBox())?.width ?? 0 > 40, 'it is seen');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.name'), 'bank_id');
    await page.goto(`${url}/decline`);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Decline');
  });
});
