// Slow: a finance team's job in a browser: which settlement is the line on the bank statement?
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { SettlementView } from '../../server/src/settlements/view.ts';
import { grantedSchedule } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, countActs, press, rowsOf } from './look.ts';

describe('reconciling a bank statement', () => {
  let site: Site;
  let finance: Person;
  let page: Page;
  let first: SettlementView;
  let second: SettlementView;

  before(async () => {
    site = await startSite();
    const { service } = site;
    for (const [account, day, value] of [
      ['alex', '2026-01-06', 4999],
      ['sid', '2026-01-06', 1250],
      ['sid', '2026-01-07', 100],
    ] as const)
      await grantedSchedule(service, account, {
        amount: { value, currency: 'GBP' },
        frequency: 'yearly',
        start_date: `${day}T09:00:00Z`,
        description: `Yearly fee of ${account}`,
        metadata: { order_number: `A-10${value}` },
      });
    await service.advance('2026-01-08T12:00:00Z');
    const list = '/api/v1/settlements?sort=created_at';
    const { data } = (await service.api<{ data: SettlementView[] }>('GET', list)).body;
    assert.equal(data.length, 2);
    [first, second] = data as [SettlementView, SettlementView];
    finance = await site.member('finance');
    page = finance.page;
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('by its reference a line is reconciled in two steps, on the list of settlements', async () => {
    await finance.open('/settlements');
    const rows = rowsOf(page, 'Settlements');
    await rows.nth(1).waitFor();
    const acts = await countActs(page);
    const typed = first.statement_reference.toLowerCase();
    await page.getByLabel('Search settlements').fill(`FPI ${typed}`);
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.getByRole('link').click();
    await seeHeading(page, 'Settlement of £62.49');
    assert.equal(await acts(), 2);
  });

  test('its page names who paid what for, and adds up to what arrived', async () => {
    await page.getByText(first.statement_reference, { exact: true }).waitFor();
    const table = page.getByRole('table', { name: 'Payments in this settlement' });
    const rows = rowsOf(page, 'Payments in this settlement');
    await rows.nth(1).waitFor();
    const [names] = await table.locator('thead tr').allInnerTexts();
    assert.match(
      names ?? '',
      /Customer\s+Description\s+Customer reference\s+Your data\s+Collected\s+Amount/,
    );
    const alex = rows.filter({ hasText: 'fee of alex' });
    await alex.getByText('order number A-104999').waitFor();
    await table.locator('tfoot').getByText('2 payments').waitFor();
    await table.locator('tfoot').getByText('£62.49').waitFor();
    const sums = await card(page, 'How it adds up').locator('dl').textContent();
    assert.equal(sums, 'Collected£62.49Paid out£62.49');
    await assertGood(page, 'a settlement with its payments');
  });

  test('a whole statement is matched in two steps: open, and paste', async () => {
    await finance.open('/settlements');
    const acts = await countActs(page);
    await page.getByRole('link', { name: 'Match a statement' }).click();
    const statement = [
      'Date,Description,Paid out,Paid in,Balance',
      `07/01/2026,FP ${first.statement_reference},,62.49,162.49`,
      '08/01/2026,FP unnamed,,1.00,163.49',
      '08/01/2026,Shop sale,,7.00,170.49',
      '08/01/2026,Rent,50.00,,120.49',
      '08/01/2026,Broken,,sixty,120.49',
    ].join('\n');
    await page.getByLabel('Lines of the statement').fill(statement);
    const rows = rowsOf(page, 'Settlements on the statement');
    await rows.filter({ hasText: first.statement_reference }).getByText('Reference').waitFor();
    await rows
      .filter({ hasText: second.statement_reference })
      .getByText('Guess', { exact: true })
      .waitFor();
    assert.equal(await acts(), 2);
    await seeText(page, '2 of 3 credits are settlements, 1 matched only by amount and date.');
    await seeText(page, 'Line 6: “sixty” is no amount such as 1,234.50');
    await rowsOf(page, 'Other credits').getByText('Shop sale').waitFor();
    await assertGood(page, 'a matched statement');
  });

  test('a file says what has not arrived, and one that is no statement why', async () => {
    const file = (name: string, text: string) => ({
      name,
      mimeType: 'text/xml',
      buffer: Buffer.from(text),
    });
    const choose = page.locator('input[type=file]');
    await choose.setInputFiles(
      file('bomb.xml', '<!DOCTYPE a [<!ENTITY b "c">]><Document>&b;</Document>'),
    );
    await seeText(page, 'The file has a DOCTYPE');
    await assertGood(page, 'a refused statement');
    const lines = `07/01/2026 ${first.statement_reference} 62.49\n08/01/2026 Shop 7.00`;
    await choose.setInputFiles(file('lines.txt', lines));
    await rowsOf(page, 'Not on the statement').getByText(second.statement_reference).waitFor();
    await press(page, 'Remove');
    await page.getByLabel('Lines of the statement').waitFor();
  });

  test('settlements are journals by account, downloaded as an accounting program imports them', async () => {
    await finance.open('/reports/accounting?from=2026-01-01');
    const accounts = rowsOf(page, 'Journals by account');
    await accounts.filter({ hasText: '850' }).getByText('£63.49').waitFor();
    await assertGood(page, 'journals by account');
    await page.getByLabel('Program').selectOption('QuickBooks Online');
    await accounts.filter({ hasText: 'Undeposited Funds' }).waitFor();
    await page.getByLabel('Bank account').fill('Collections clearing');
    await page.getByLabel('Bank account').press('Enter');
    await accounts.filter({ hasText: 'Collections clearing' }).getByText('£63.49').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n');
    const about = `${first.statement_reference},07/01/2026`;
    const narration = `Settlement ${first.statement_reference}`;
    assert.deepEqual(lines.slice(0, 3), [
      'Journal No.,Journal Date,Account Name,Description,Debits,Credits',
      `${about},Collections clearing,${narration}: Paid out,62.49,`,
      `${about},Sales,${narration}: Payments collected,,62.49`,
    ]);
    await page.getByLabel('Bank account').fill('=1');
    await page.getByLabel('Bank account').press('Enter');
    await seeText(page, 'account_bank: must be the name of an account');
  });
});
