import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startDocSite } from '../../server/test-support/doc-site.ts';
import { freePort } from '../../server/test-support/free-ports.ts';
import { assertAccessible } from './axe.ts';
import { assertReads, watchPage } from './axe-page.ts';
import { openChromium } from './chromium.ts';

let site: Awaited<ReturnType<typeof startDocSite>>;
let browser: Browser;
let page: Page;
let url: string;
const complaints: string[] = [];

before(async () => {
  url = `http://localhost:${await freePort()}`;
  site = await startDocSite(url);
  browser = await openChromium();
  page = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
  watchPage(page, [url], complaints);
});
after(async () => {
  await page?.context().close();
  await browser?.close();
  await site?.close();
});

async function assertGood(name: string): Promise<void> {
  await assertAccessible(page, name);
  await assertReads(page, name);
}

test('a developer goes from the start page to the first guide and on to an error, on a small phone', async () => {
  await page.goto(url);
  await assertGood('start page');
  await page.getByRole('link', { name: 'Guides' }).click();
  await assertGood('list of guides');
  await page.getByRole('link', { name: 'Accept your first collection' }).click();
  await page.getByRole('heading', { name: '5. Let time pass' }).waitFor();
  await assertGood('first guide');
  await page.getByRole('link', { name: 'Test every failure' }).click();
  await assertGood('guide to failures');
  await page.getByRole('link', { name: 'idempotency_conflict' }).click();
  await page.getByRole('heading', { name: 'idempotency_conflict' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/docs/errors/idempotency_conflict');
  await page.getByRole('searchbox').fill('refund exceeds');
  await page.getByRole('searchbox').press('Enter');
  await assertGood('results of a search');
  await page.getByRole('link', { name: 'refund_exceeds_payment', exact: true }).click();
  await page.getByRole('heading', { name: 'refund_exceeds_payment' }).waitFor();
  assert.deepEqual(complaints, []);
});
