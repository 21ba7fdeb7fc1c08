import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startService } from '../../server/src/app/run.ts';
import type { Running } from '../../server/src/app/running.ts';
import { createMerchant } from '../../server/src/merchants/service.ts';
import { readConfig } from '../../server/src/platform/config.ts';
import { createSchedule, showSchedule } from '../../server/src/schedules/service.ts';
import { type TestDatabase, testDatabase } from '../../server/test-support/database.ts';
import { openChromium } from './chromium.ts';
import { type Sites, startSites } from './sites.ts';

const PIN = '1234';

describe('a customer in a browser, with the whole service and the sandbox bank', () => {
  let database: TestDatabase;
  let folder: string;
  let running: Running;
  let sites: Sites;
  let browser: Browser;

  before(async () => {
    [database, folder, sites, browser] = await Promise.all([
      testDatabase(),
      mkdtemp(join(tmpdir(), 'recollect-walk-')),
      startSites(),
      openChromium(),
    ]);
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      SANDBOX_BANK_PORT: '0',
      SANDBOX_BANK_PAGES_PORT: '0',
      SANDBOX_ISSUER_PORT: '0',
    });
    running = await startService(config);
  });
  after(async () => {
    await browser?.close();
    await running?.close();
    await sites?.close();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function newSchedule(): Promise<{
    url: string;
    scheduleId: string;
    status(): Promise<string>;
  }> {
    const { platform, service } = running;
    const { merchantId } = await createMerchant(platform, {
      name: 'Fernhill Broadband',
      legalName: 'Fernhill Broadband Ltd',
      email: 'help@fernhill.example',
      website: 'https://fernhill.example',
      address: '12 Weavers Row, Sheffield S1 2AB',
      terms: 'You pay for each month in advance.',
      settlementAccount: { sortCode: '200000', accountNumber: '55779911', name: 'Fernhill' },
      returnUrl: sites.merchantUrl,
    });
    const view = await platform.db.transaction((tx) =>
      createSchedule(service.schedules, tx, platform.clock.now(), merchantId, {
        amount: { value: 2500, currency: 'GBP' },
        frequency: 'monthly',
        customer: { phone: '+447700900123' },
        description: 'Full fibre 300',
      }),
    );
    const status = async (): Promise<string> => {
      const shown = await platform.db.read((tx) =>
        showSchedule(service.schedules, tx, platform.clock.now(), merchantId, view.id),
      );
      return shown.status;
    };
    return { url: view.consent_url ?? '', scheduleId: view.id, status };
  }

  /** From the portal to the bank's question, signed in. */
  async function goToReview(page: Page, url: string): Promise<void> {
    await page.goto(url);
    await page.getByRole('radio').first().check();
    await page.getByRole('button', { name: 'Continue to your bank' }).click();
    await page.getByLabel('Customer name').fill('alex');
    await page.getByLabel('PIN').fill(PIN);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: /Let Fernhill Broadband collect payments/ }).waitFor();
  }

  test('a yes at the bank sets the schedule going, and the customer is back at the merchant', async () => {
    const page = await browser.newPage();
    const { url, scheduleId, status } = await newSchedule();
    await goToReview(page, url);
    await page.getByLabel('PIN').fill(PIN);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Welcome back to the merchant' }).waitFor();
    assert.equal(page.url(), `${sites.merchantUrl}?schedule_id=${scheduleId}&status=active`);
    assert.equal(await status(), 'active');
    await page.goto(url);
    await page.getByRole('heading', { name: 'Coming payments' }).waitFor();
    await page.getByText('£25.00 left').waitFor();
  });

  test('a no at the bank cancels the schedule, and the customer is back at the merchant', async () => {
    const page = await browser.newPage();
    const { url, scheduleId, status } = await newSchedule();
    await goToReview(page, url);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('heading', { name: 'Welcome back to the merchant' }).waitFor();
    assert.equal(page.url(), `${sites.merchantUrl}?schedule_id=${scheduleId}&status=cancelled`);
    assert.equal(await status(), 'cancelled');
    await page.goto(url);
    await page.getByRole('heading', { name: 'You did not agree' }).waitFor();
  });
});
