// Slow: goes from the merchant to the bank and back in a browser.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Running } from '../../server/src/app/wiring/assemble.ts';
import { startService } from '../../server/src/app/wiring/run.ts';
import { createMerchant } from '../../server/src/merchants/service.ts';
import { readConfig } from '../../server/src/platform/config/config.ts';
import { advance } from '../../server/src/sandbox/advance.ts';
import { createSchedule, showSchedule } from '../../server/src/schedules/change/service.ts';
import { planMerchantWallet } from '../../server/src/wallets/service.ts';
import { type TestDatabase, testDatabase } from '../../server/test-support/database.ts';
import { assertAccessible } from './axe.ts';
import { assertReads } from './axe-page.ts';
import { openChromium } from './chromium.ts';
import { type Sites, startSites } from './sites.ts';

const PIN = '1234';
/** The first occurrence, chosen so that the time of day of the test does not matter. */
const IN_A_WEEK = { hours: 24 * 7 };

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
      MODE: 'sandbox',
      PORT: '0',
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      OPERATOR_PORT: '0',
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
    const now = platform.clock.now();
    const newMerchant = {
      name: 'Fernhill Broadband',
      legalName: 'Fernhill Broadband Ltd',
      email: 'help@fernhill.example',
      website: 'https://fernhill.example',
      address: '12 Weavers Row, Sheffield S1 2AB',
      terms: 'You pay for each month in advance.',
      settlementAccount: { sortCode: '200000', accountNumber: '55779911', name: 'Fernhill' },
      returnUrl: sites.merchantUrl,
    };
    const { merchantId } = await createMerchant(platform, newMerchant, (tx, id) =>
      planMerchantWallet(platform, { tx, now, merchantId: id }),
    );
    platform.wake();
    const view = await platform.db.transaction((tx) =>
      createSchedule(
        service.schedules,
        { tx, now: platform.clock.now(), merchantId },
        {
          amount: { value: 2500, currency: 'GBP' },
          frequency: 'monthly',
          start_date: now.add(IN_A_WEEK).toString(),
          customer: { phone: '+447700900123' },
          description: 'Full fibre 300',
        },
      ),
    );
    const status = async (): Promise<string> => {
      const shown = await platform.db.read((tx) =>
        showSchedule(service.schedules, { tx, now: platform.clock.now(), merchantId }, view.id),
      );
      return shown.status;
    };
    return { url: view.consent_url ?? '', scheduleId: view.id, status };
  }

  /** Goes from the portal to the bank's review page, logged in. */
  async function goToReview(page: Page, url: string, login = 'alex'): Promise<void> {
    await page.goto(url);
    await page.getByRole('radio').first().check();
    await page.getByRole('button', { name: 'Continue to your bank' }).click();
    await page.getByLabel('Customer name').fill(login);
    await page.getByLabel('PIN', { exact: true }).fill(PIN);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: /Let Fernhill Broadband collect payments/ }).waitFor();
  }

  /** Opens the bank's app in a separate browser, logged in. */
  async function openApp(login: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${running.sandbox?.partners.bankUrl}/northbank/app`);
    await page.getByLabel('Customer name').fill(login);
    await page.getByLabel('PIN', { exact: true }).fill(PIN);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: /^Good / }).waitFor();
    return page;
  }

  async function moveClock(by: Temporal.DurationLike): Promise<void> {
    const { platform, service, sandbox } = running;
    assert.ok(sandbox);
    const { clock, partners } = sandbox;
    const stopping = new AbortController().signal;
    const { engine, waitingFor } = service;
    await advance(
      { platform, clock, engine, waitingFor, control: partners.control, stopping },
      { by: Temporal.Duration.from(by), timeZone: 'Europe/London' },
    );
  }

  test('a yes at the bank sets the schedule going, and the customer is back at the merchant', async () => {
    const page = await browser.newPage();
    const { url, scheduleId, status } = await newSchedule();
    await goToReview(page, url);
    await assertAccessible(page, 'the question of the bank');
    await assertReads(page, 'the question of the bank');
    await page.getByText('Up to £25.00 a month').waitFor();
    await page.getByLabel('PIN', { exact: true }).fill(PIN);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Welcome back to the merchant' }).waitFor();
    assert.equal(page.url(), `${sites.merchantUrl}?schedule_id=${scheduleId}&status=active`);
    assert.equal(await status(), 'active');
    await page.goto(url);
    await page.getByRole('heading', { name: 'Upcoming payments' }).waitFor();
    await page.getByText('Up to £25.00 more can be collected').waitFor();
  });

  test('when a collection starts, the open app of the bank says so automatically, also where money lacks', async () => {
    const page = await browser.newPage();
    const { url } = await newSchedule();
    await goToReview(page, url, 'nina');
    await page.getByLabel('PIN', { exact: true }).fill(PIN);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Welcome back to the merchant' }).waitFor();
    const app = await openApp('nina');
    await app.getByText('Nothing yet.').waitFor();
    await moveClock({ months: 1, days: 1 });
    const banner = app.getByRole('status');
    await banner.getByText('Fernhill Broadband tried to collect £25.00').waitFor();
    await banner.getByText('not enough money in your current account').waitFor();
    const rich = await openApp('alex');
    await rich.getByText('Fernhill Broadband collected £25.00').first().waitFor();
    await page.goto(url);
    await page.getByText('There was not enough money in the account.').waitFor();
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
    await page.getByRole('heading', { name: 'You declined' }).waitFor();
  });
});
