// Slow: goes through every detour of a customer in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { freePort } from '../../server/test-support/free-ports.ts';
import { type PortalBench, portalBench } from '../../server/test-support/portal-fixture.ts';
import { seeHeading, seeText } from './account.ts';
import { assertAccessible } from './axe.ts';
import { assertReads, watchPage } from './axe-page.ts';
import { besideChromium } from './chromium.ts';
import { press } from './look.ts';
import { type Sites, startSites } from './sites.ts';

/** The smallest supported phone. */
const SMALL = { width: 320, height: 640 };

interface Link {
  url: string;
  merchantId: string;
  scheduleId: string;
}

describe('the portal where a customer’s way to the bank is not straight', () => {
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

  /** Opens a separate browser that shares nothing with the others. */
  async function newBrowser(): Promise<Page> {
    const page = await (await browser.newContext({ viewport: SMALL })).newPage();
    watchPage(page, [portal, ...sites.origins], complaints);
    return page;
  }

  async function newLink(): Promise<Link> {
    const { merchantId } = await bench.merchant({ returnUrl: null });
    const { view } = await bench.schedule(merchantId);
    return { url: view.consent_url ?? '', merchantId, scheduleId: view.id };
  }

  const raise = ({ merchantId, scheduleId }: Link, value: number) =>
    bench.update(merchantId, scheduleId, { amount: { value, currency: 'GBP' } });

  /** Goes from the link to the bank's own page. */
  async function leave(page: Page, url: string): Promise<void> {
    await page.goto(url);
    await page.getByLabel('Alder Bank').check();
    await press(page, 'Continue to your bank');
    await seeHeading(page, 'Sign in');
  }

  /** Completes the authorisation at the bank in another browser, with the first one's request. */
  async function arriveElsewhere(link: Link): Promise<Page> {
    const first = await newBrowser();
    await leave(first, link.url);
    const second = await newBrowser();
    await second.goto(first.url());
    await press(second, 'Approve');
    return second;
  }

  async function looksGood(page: Page, name: string): Promise<void> {
    await assertAccessible(page, name);
    await assertReads(page, name);
  }

  test('the largest amount stays on one line on the smallest phone', async () => {
    const { merchantId } = await bench.merchant();
    const amount = { value: 100_000_000, currency: 'GBP' };
    const { view } = await bench.schedule(merchantId, { amount });
    const page = await newBrowser();
    await page.goto(view.consent_url ?? '');
    await page.getByText('£1,000,000.00').first().waitFor();
    await assertReads(page, 'a million pounds');
  });

  test('a browser that did not begin the request is shown what it would allow, and asked', async () => {
    const link = await newLink();
    const page = await arriveElsewhere(link);
    await seeHeading(page, 'Did you start this?');
    for (const text of ['Full fibre 300 and line rental', '£34.99', 'Up to £34.99 per payment.'])
      await seeText(page, text);
    await looksGood(page, 'a second browser is asked');
    await press(page, 'Yes, I started this');
    await seeHeading(page, 'Thank you, you’re all set');
    await looksGood(page, 'a second browser that said yes');
    assert.ok(!(await page.content()).includes(new URL(link.url).pathname.split('/').at(-1) ?? ''));
  });

  test('who did not begin it says so, and nothing is agreed', async () => {
    const page = await arriveElsewhere(await newLink());
    await press(page, 'No, this was not me');
    await seeHeading(page, 'Nothing has been agreed');
    await looksGood(page, 'a second browser that said no');
  });

  test('terms that change while the customer reads or is at the bank are shown with what changed', async () => {
    const link = await newLink();
    const page = await newBrowser();
    await page.goto(link.url);
    await raise(link, 4499);
    await page.getByLabel('Alder Bank').check();
    await press(page, 'Continue to your bank');
    await page.getByRole('alert').getByText('Before: £34.99', { exact: true }).waitFor();
    await looksGood(page, 'terms changed since the page was opened');
    await press(page, 'Continue to your bank');
    await seeHeading(page, 'Sign in');
    const elsewhere = await newBrowser();
    await elsewhere.goto(page.url());
    await raise(link, 5499);
    await press(page, 'Approve');
    await page.getByRole('alert').getByText('Before: £44.99', { exact: true }).waitFor();
    await looksGood(page, 'terms changed while at the bank');
    await press(elsewhere, 'Approve');
    await seeHeading(elsewhere, 'The terms have changed');
    await looksGood(elsewhere, 'terms changed, another browser');
  });

  test('a form that lost the version of its terms asks to check them again', async () => {
    const page = await newBrowser();
    await page.goto((await newLink()).url);
    await page.evaluate(
      "document.querySelectorAll('[name=terms_version]').forEach((field) => field.remove())",
    );
    await page.getByLabel('Alder Bank').check();
    await press(page, 'Continue to your bank');
    await page.getByRole('alert').getByText('Please check the terms again').waitFor();
    await looksGood(page, 'check the terms again');
  });

  /** Returns the page of a granted permission that the bank wants to be confirmed again. */
  async function toConfirm(): Promise<Page> {
    const link = await newLink();
    const page = await newBrowser();
    await leave(page, link.url);
    await press(page, 'Approve');
    await page.getByRole('link', { name: 'See my payments' }).click();
    await seeText(page, 'Upcoming payments');
    await bench.platform.db.transaction((tx) =>
      tx.run('UPDATE consents SET suspended_at = granted_at WHERE merchant_id = $1', [
        link.merchantId,
      ]),
    );
    await page.reload();
    await seeText(page, 'Your bank wants you to confirm again');
    return page;
  }

  test('a customer whose bank wants them again declines, changes their mind and confirms', async () => {
    const page = await toConfirm();
    await looksGood(page, 'a permission to confirm');
    await press(page, 'Confirm at Alder Bank');
    await press(page, 'Refuse');
    await seeHeading(page, 'You did not confirm it');
    await looksGood(page, 'a confirmation declined');
    await page.getByRole('link', { name: 'See my payments' }).click();
    bench.banks.alder.isDown = true;
    await press(page, 'Confirm at Alder Bank');
    await press(page, 'Approve');
    await seeHeading(page, 'Your bank is not responding');
    await looksGood(page, 'a confirmation in an outage');
    bench.banks.alder.isDown = false;
    await press(page, 'Try again');
    await seeHeading(page, 'Thank you, you have confirmed it');
    await looksGood(page, 'a confirmation');
    await page.getByRole('link', { name: 'See my payments' }).click();
    await seeText(page, 'Upcoming payments');
    assert.equal(await page.getByText('wants you to confirm again').count(), 0);
  });

  test('a confirmation that comes back in another browser is asked about, and shows it no link', async () => {
    const first = await toConfirm();
    await press(first, 'Confirm at Alder Bank');
    await seeHeading(first, 'Sign in');
    const second = await newBrowser();
    await second.goto(first.url());
    await press(second, 'Approve');
    await seeHeading(second, 'Did you start this?');
    await looksGood(second, 'a confirmation in another browser');
    await press(second, 'Yes, I started this');
    await seeHeading(second, 'Thank you, you have confirmed it');
    assert.equal(await second.getByRole('link', { name: 'See my payments' }).count(), 0);
  });

  test('what keeps a permission from being used is said above the payments, with what to do', async () => {
    const link = await newLink();
    const page = await newBrowser();
    await leave(page, link.url);
    await press(page, 'Approve');
    await page.getByRole('link', { name: 'See my payments' }).click();
    const low = `jsonb_set(control_parameters, '{maximumAmountPence}', '1000')`;
    for (const [kind, change, words] of [
      ['in doubt', 'doubted_at = granted_at', 'has told us that this permission has ended'],
      [
        'to confirm',
        'doubted_at = NULL, suspended_at = granted_at',
        'confirm this permission again',
      ],
      [
        'lower limits',
        `suspended_at = NULL, limits_changed_at = granted_at, control_parameters = ${low}`,
        'The limits at Alder Bank have changed',
      ],
    ] as const) {
      await bench.platform.db.transaction((tx) =>
        tx.run(`UPDATE consents SET ${change} WHERE merchant_id = $1`, [link.merchantId]),
      );
      await page.reload();
      await page.getByRole('status').getByText(words).waitFor();
      await looksGood(page, `a permission ${kind}`);
    }
  });
});
