// Slow: goes from payments to pay-outs and reports in a browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { SettlementView } from '../../server/src/settlements/view.ts';
import { setAccount } from '../../server/test-support/settlement-account.ts';
import { assertBooksInOrder, grantedSchedule, paymentOf } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText, textOf } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, gone, openEvidence, press, rowsOf } from './look.ts';

/** The first pay-out to this account fails; later ones arrive. */
const CLOSED_AT_FIRST = '66666666';
/** A4 without its margins, in CSS pixels. */
const PAPER = { width: 674, height: 1000 };
/** Run in the page: the tables and cells that do not fit in what they stand in. */
const CUT_OFF = `[...document.querySelectorAll('main :is(table, th, td)')]
  .filter((box) => box.scrollWidth > box.clientWidth + 1 ||
    box.getBoundingClientRect().right > document.documentElement.clientWidth)
  .map((box) => box.textContent)`;

describe('payments and settlements', () => {
  let site: Site;
  let owner: Person;
  let page: Page;
  /** The schedule whose customer has no money. */
  let poor: string;

  before(async () => {
    site = await startSite();
    const { service } = site;
    await due('alex', '2026-01-06', 4999);
    await due('sid', '2026-01-06', 1250);
    poor = await due('nina', '2026-01-06', 2001);
    await service.advance('2026-01-06T14:00:00Z');
    owner = await site.member('owner');
    page = owner.page;
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  /** Creates a schedule that is collected once, at nine on this day; returns its id. */
  async function due(account: string, day: string, pence: number): Promise<string> {
    const { id } = await grantedSchedule(site.service, account, {
      amount: { value: pence, currency: 'GBP' },
      frequency: 'yearly',
      start_date: `${day}T09:00:00Z`,
      max_retries: 0,
      description: `Yearly fee of ${account}`,
    });
    return id;
  }

  /** Returns the settlements from the API, newest first. */
  async function settlements(): Promise<SettlementView[]> {
    const path = '/api/v1/settlements';
    return (await site.service.api<{ data: SettlementView[] }>('GET', path)).body.data;
  }

  /** Returns the badge beside the page's heading. */
  const badge = (words: string): Locator =>
    page
      .locator('header')
      .filter({ has: page.locator('h1') })
      .getByText(words, { exact: true });

  test('payments are narrowed by status, days and id, and the address keeps it', async () => {
    const rows = rowsOf(page, 'Payments');
    await owner.open('/payments');
    await rows.nth(2).waitFor();
    assert.equal(await rows.getByText('Collected').count(), 2);
    await page.getByLabel('Status').selectOption('Failed');
    await rows.nth(1).waitFor({ state: 'detached' });
    await page.getByLabel('Due from').fill('2026-01-06');
    await page.getByLabel('Due to').fill('2026-01-06');
    await page.waitForURL(/status=failed&from=2026-01-06&to=2026-01-06/);
    await page.reload();
    await rows.getByText('Yearly fee of nina').waitFor();
    assert.equal(await rows.count(), 1);
    assert.equal(await page.getByLabel('Due to').inputValue(), '2026-01-06');
    await page.getByLabel('Due from').fill('2026-01-07');
    await seeText(page, 'No payments match');
    await assertGood(page, 'no payments');
    await press(page, 'Show all payments');
    await rows.nth(2).waitFor();
    const { id } = await paymentOf(site.service, poor);
    await page.getByLabel('Search payments').fill(id);
    await rows.nth(1).waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.searchParams.get('q') === id);
    await rows.getByRole('link', { name: '£20.01' }).click();
    await seeHeading(page, 'Payment of £20.01');
  });

  test('a failed payment is tried again by hand, once there is money, and is collected', async () => {
    const line = card(page, 'Progress');
    await line.getByText('Failed', { exact: true }).waitFor();
    await line.getByText('There was not enough money in the customer’s account.').waitFor();
    await line.getByText('No retry: all retries have been used.').waitFor();
    await assertGood(page, 'a failed payment');
    const paymentUrl = page.url();
    await owner.open('/sandbox');
    await press(page, 'Change nina’s current account');
    const changing = page.getByRole('dialog', { name: 'Nina Kowalska' });
    await changing.getByLabel('Balance').fill('100');
    await press(changing, 'Save account');
    await gone(changing);
    await page.goto(paymentUrl);
    await press(page, 'Retry now');
    const asking = page.getByRole('alertdialog', { name: /^Collect £20\.01 from .+ again\?$/ });
    await asking.getByText('A payment is never collected twice.').waitFor();
    await assertGood(page, 'retrying a payment');
    await press(asking, 'Collect £20.01');
    await gone(asking);
    await badge('Collected').waitFor();
    await line.getByText('In your wallet').waitFor();
    await openEvidence(page);
    await page.getByText('Attempt 2: Collected').waitFor();
    await page.getByText('Manual', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Retry now' }).count(), 0);
  });

  test('a payment shows what proves it: the bank’s own id, and what the ledger holds', async () => {
    const { payments } = await site.service.bankBooks();
    const { id } = await paymentOf(site.service, poor);
    const atBank = payments.find(
      ({ debited, end_to_end_id: key }) => debited && key.startsWith(id),
    );
    assert.ok(atBank !== undefined);
    const evidence = card(page, 'Evidence');
    const bank = evidence.getByRole('table', { name: 'Attempts at the bank' });
    await bank.getByRole('button', { name: `Copy ${atBank.payment_id}` }).waitFor();
    await bank.getByRole('button', { name: `Copy ${atBank.end_to_end_id}` }).waitFor();
    const entries = rowsOf(page, 'Ledger entries');
    for (const words of ['Paid in', 'Transferred to your wallet'])
      await entries.filter({ hasText: words }).getByText('£20.01').waitFor();
    assert.equal(await entries.count(), 2);
    await rowsOf(page, 'What happened').filter({ hasText: 'retried by hand' }).waitFor();
    assert.doesNotMatch(await textOf(page.locator('main')), /→ success|processing|\byet\b/);
    await assertGood(page, 'a collected payment');
  });

  test('each point of its line leads to what it stands for', async () => {
    const line = card(page, 'Progress');
    assert.deepEqual(await line.getByRole('listitem').locator('.life-title').allTextContents(), [
      'Due',
      'Attempt 1 failed',
      'Sent to Northbank',
      'Paid by Northbank',
      'In the customer’s wallet',
      'In your wallet',
      'Settled, to come',
    ]);
    await line.getByText('It is paid out with your next settlement.').waitFor();
    const pathOf = (name: string): Promise<string | null> =>
      line.getByRole('link', { name }).getAttribute('href');
    assert.equal(await pathOf('Due'), `/dashboard/schedules/${poor}`);
    assert.equal(await pathOf('Sent to Northbank'), '/dashboard/payments?bank_id=northbank');
  });

  test('on paper a payment has its evidence, no buttons, and no table that is cut', async () => {
    await page.reload();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize(PAPER);
    await page.locator('.evidence table').last().waitFor();
    assert.equal(await page.locator('main :is(button, summary):visible').count(), 0);
    assert.deepEqual(await page.evaluate<string[]>(CUT_OFF), []);
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('a settlement is one number in three places, and its CSV says the same', async () => {
    await owner.open('/settlements');
    await seeText(page, 'No settlements yet');
    await site.service.advance('2026-01-07T12:00:00Z');
    await page.getByRole('link', { name: 'Wed 7 Jan 2026' }).click();
    await seeHeading(page, 'Settlement of £82.50');
    const places = card(page, 'One number in three places');
    await places.getByText(/^All three match to the penny/).waitFor();
    assert.equal(await places.getByText('£82.50', { exact: true }).count(), 3);
    const [told] = await settlements();
    assert.ok(told !== undefined);
    assert.deepEqual([told.amount.value, told.status], [8250, 'success']);
    const rows = await downloadCsv();
    assert.equal(rows.length, 3);
    assert.equal(sum(rows.map((row) => Number(row.amount_pence))), told.amount.value);
    assert.deepEqual(rows.map(({ amount }) => amount).sort(), ['12.50', '20.01', '49.99']);
    assert.ok(rows.every((row) => row.settlement_id === told.id));
    const entries = rowsOf(page, 'Ledger entries');
    for (const words of ['Reserved for settlement', 'Paid out'])
      await entries.filter({ hasText: words }).getByText('£82.50').waitFor();
    const { movements } = await site.service.issuerBooks();
    const payOut = movements.find(({ kind }) => kind === 'payout');
    assert.ok(payOut !== undefined);
    await page.getByRole('button', { name: `Copy ${payOut.movement_id}` }).waitFor();
    assert.equal(await rowsOf(page, 'Payments in this settlement').count(), 3);
    await assertGood(page, 'a settlement');
    await assertBooksInOrder(site.service);
  });

  /** Downloads the open settlement; returns its rows by column name. */
  async function downloadCsv(): Promise<Record<string, string>[]> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^settlement-2026-01-07-set_\w+\.csv$/);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    const [names = [], ...rows] = lines.map((line) => line.split(','));
    return rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [names[i] ?? '', cell])));
  }

  test('a settlement that could not be paid out is paid out again by hand', async () => {
    const { service } = site;
    const account = { sortCode: '089999', accountNumber: CLOSED_AT_FIRST, name: 'Fernhill' };
    const { platform } = service.running;
    await setAccount(platform, service.merchantId, account);
    await due('alex', '2026-01-08', 3300);
    await service.advance('2026-01-09T12:00:00Z');
    await owner.open('/settlements');
    await page.getByLabel('Status').selectOption('Failed');
    await page.waitForURL(/status=failed/);
    await page.getByRole('link', { name: 'Fri 9 Jan 2026' }).click();
    await seeHeading(page, 'Settlement of £33.00');
    await seeText(page, 'The pay-out failed');
    await assertGood(page, 'a failed settlement');
    await press(page, 'Retry now');
    const asking = page.getByRole('alertdialog', { name: 'Pay £33.00 out again?' });
    await assertGood(page, 'retrying a settlement');
    await press(asking, 'Pay out £33.00');
    await gone(asking);
    await gone(badge('Failed'));
    await service.advance('PT1M');
    await badge('Paid out').waitFor();
    await card(page, 'One number in three places').getByText('All three match').waitFor();
    const kinds = ['Reserved for settlement', 'Returned to your wallet', 'Paid out'];
    const entries = rowsOf(page, 'Ledger entries');
    await entries.filter({ hasText: 'Paid out' }).waitFor();
    const counts = kinds.map((words) => entries.filter({ hasText: words }).count());
    assert.deepEqual(await Promise.all(counts), [2, 1, 1]);
    const [told] = await settlements();
    assert.deepEqual([told?.status, told?.attempts], ['success', 2]);
    await assertBooksInOrder(service);
  });

  test('a report says what failed and is owed, and leads to the payments and customers', async () => {
    await due('nina', '2026-01-12', 9_000_000);
    await site.service.advance('2026-02-02T12:00:00Z');
    await owner.open('/');
    await page.getByRole('link', { name: 'Reports', exact: true }).first().click();
    await seeHeading(page, 'Reports');
    const reason = rowsOf(page, 'Failures by reason').filter({ hasText: 'not enough money' });
    await reason.getByText('£90,000.00').first().waitFor();
    await page
      .getByText(/failed at least once/)
      .first()
      .waitFor();
    const bank = rowsOf(page, 'Failures by bank');
    assert.match((await bank.first().textContent()) ?? '', /%/);
    await page.getByRole('img', { name: /^Failure rate, week by week/ }).waitFor();
    await page.getByRole('button', { name: 'Show as table' }).click();
    await rowsOf(page, 'Failures over time').getByText('£90,000.00').first().waitFor();
    await page.getByRole('button', { name: 'Show as chart' }).click();
    await page.getByLabel('Periods').selectOption('By month');
    await page.getByRole('heading', { name: 'Month by month' }).waitFor();
    await page.waitForURL(/by=month/);
    await assertGood(page, 'failures by reason');
    await page.getByLabel('Due from').fill('2026-01-12');
    await page.getByText(/^Of what was due 12\D/).waitFor(); // the links of the new range
    await reason.getByRole('link', { name: '£90,000.00' }).click();
    await page.waitForURL(/payments\?status=failed&error_code=insufficient_funds&from=2026-01-12/);
    await rowsOf(page, 'Payments').getByText('£90,000.00').waitFor();
    assert.equal(await rowsOf(page, 'Payments').count(), 1);
    assert.equal(await page.getByLabel('Reason').inputValue(), 'insufficient_funds');
    // From Reports, one click on a bank's lost money is its payments.
    await owner.open('/reports');
    await bank.first().getByRole('link').click();
    await page.waitForURL(/payments\?status=failed&bank_id=/);
    await rowsOf(page, 'Payments').getByText('£90,000.00').waitFor();
    assert.notEqual(await page.getByLabel('Bank', { exact: true }).inputValue(), '');
    await owner.open('/reports/arrears');
    await rowsOf(page, 'Arrears by age')
      .filter({ hasText: '8–30 days' })
      .getByText('£90,000.00')
      .waitFor();
    await assertGood(page, 'arrears');
    await rowsOf(page, 'Arrears by customer').getByRole('link').first().click();
    await rowsOf(page, 'Payments').getByText('£90,000.00').waitFor();
    await owner.open('/reports/cohorts');
    const january = rowsOf(page, 'Collected by cohort').filter({ hasText: 'January 2026' });
    await january.waitFor();
    await assertGood(page, 'cohorts');
    const size = january.getByRole('link').first();
    const count = Number(await size.textContent());
    await size.click();
    await page.waitForURL(/schedules\?started=2026-01/);
    await seeText(page, 'Started in January 2026');
    await rowsOf(page, 'Schedules').first().waitFor();
    assert.equal(await rowsOf(page, 'Schedules').count(), count);
  });

  test('the calendar of a month leads from a day to its payments and pay-outs', async () => {
    await owner.open('/reports/calendar?month=2026-01');
    await seeHeading(page, 'Calendar January 2026');
    await assertGood(page, 'a calendar');
    const sixth = page
      .locator('.calendar-day')
      .filter({ has: page.locator('[datetime="2026-01-06"]') });
    assert.match(await textOf(sixth), /£82\.50 collected/);
    await sixth.getByRole('link').first().click();
    await page.waitForURL(/payments\?status=success&from=2026-01-06&to=2026-01-06/);
    await rowsOf(page, 'Payments').first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'February 2026' }).click();
    await seeHeading(page, 'Calendar February 2026');
  });

  test('the statement of a month is read, downloaded and printed, and closes at what is in the wallet', async () => {
    await owner.open('/reports/statement');
    await seeHeading(page, 'Statement January 2026');
    const collected = rowsOf(page, 'Summary').filter({ hasText: 'Payments collected' });
    const text = await textOf(collected);
    await assertGood(page, 'a statement');
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n');
    assert.match(lines[0] ?? '', /^date,what,count,amount,balance$/);
    assert.match(lines[1] ?? '', /^2026-01-01,opening_balance,,0.00,0.00$/);
    const paid = lines.map((line) => line.split(',')).filter(([, what]) => what === 'payments');
    const pounds = sum(paid.map((cells) => Math.round(Number(cells[3]) * 100))) / 100;
    assert.ok(text.includes(`£${pounds.toFixed(2)}`), `${text} has ${pounds}`);
    const camt = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download camt.053' }).click();
    assert.match(await readFile(await (await camt).path(), 'utf8'), /<Cd>CLBD</);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.getByRole('navigation').first().isVisible(), false);
    assert.equal(await page.getByRole('link', { name: 'Download CSV' }).isVisible(), false);
    assert.equal(await rowsOf(page, 'Summary').first().isVisible(), true);
    await page.emulateMedia({ media: null });
    await page.getByLabel('Month').selectOption('Month: February 2026');
    await seeText(page, 'This month is not over');
    await seeHeading(page, 'Statement February 2026');
    assert.equal(await page.getByRole('link', { name: 'Download camt.053' }).count(), 0);
  });
});

const sum = (numbers: readonly number[]): number => numbers.reduce((left, one) => left + one, 0);
