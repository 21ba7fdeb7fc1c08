// Slow: loads the whole API reference, whose renderer takes a while.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { watchPage } from './axe-page.ts';
import { besideChromium } from './chromium.ts';

let service: TestService;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

before(async () => {
  [service, browser] = await besideChromium(startTestService());
  const context = await browser.newContext({ viewport: { width: 1300, height: 900 } });
  page = await context.newPage();
  watchPage(page, [service.baseUrl], complaints);
});
after(async () => {
  await page?.context().close();
  await browser?.close();
  await service?.close();
});

test('a reader sees programs and a real answer, sends the request, and no key is stored', async () => {
  await page.goto(`${service.baseUrl}/docs/#tag/schedules/POST/api/v1/schedules`);
  await page.getByRole('heading', { name: 'Create a schedule' }).waitFor();
  await page.getByText('curl -X POST').first().waitFor();
  await page.getByText('"pending_consent"').first().waitFor();
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click();
  const client = page.getByRole('dialog');
  await client.getByPlaceholder('Token').fill(service.apiKey);
  await client.getByRole('button', { name: 'Send Request' }).click();
  await client.getByText('200 OK').first().waitFor();
  await client.getByText('"pending_consent"').first().waitFor();
  const { body } = await service.api<{ total: number }>('GET', '/api/v1/schedules');
  assert.equal(body.total, 1);
  const { origins, cookies } = await page.context().storageState({ indexedDB: true });
  const session = await page.evaluate('JSON.stringify({ ...sessionStorage })');
  const stored = JSON.stringify([origins, cookies, session]);
  assert.ok(!stored.includes(service.apiKey), 'the key is nowhere in the browser');
  await page.reload();
  await page.getByRole('heading', { name: 'Create a schedule' }).waitFor();
  assert.ok(!(await page.content()).includes(service.apiKey), 'and is gone with the page');
  assert.deepEqual(complaints, []);
});
