// Slow: goes through the life of refunds in a browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertBooksInOrder, newSchedule, paymentOf } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, gone, openEvidence, press, rowsOf } from './look.ts';

describe('refunds', () => {
  let site: Site;
  let finance: Person;
  let page: Page;
  let paymentId: string;
  let consentUrl: string;

  before(async () => {
    site = await startSite();
    const { service } = site;
    const { id, consent_url } = await newSchedule(service, {
      frequency: 'yearly',
      start_date: '2026-01-06T09:00:00Z',
      description: 'Yearly fee',
    });
    consentUrl = consent_url ?? '';
    await service.grant(id, 'alex');
    await service.advance('2026-01-06T14:00:00Z');
    paymentId = (await paymentOf(service, id)).id;
    finance = await site.member('finance');
    page = finance.page;
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('a part of a payment is refunded, and no more can be asked for than is left', async () => {
    await finance.open('/refunds');
    await seeText(page, 'No refunds yet');
    await assertGood(page, 'no refunds');
    await finance.open(`/payments/${paymentId}`);
    await press(page, 'Refund');
    const asking = page.getByRole('dialog', { name: /^Refund \+44 7700/ });
    assert.equal(await asking.getByLabel('Amount').inputValue(), '49.99');
    await asking.getByLabel('Amount').fill('60');
    await press(asking, 'Refund £60.00');
    await asking.getByText('Enter £49.99 or less.').waitFor();
    await assertGood(page, 'refunding a payment');
    await asking.getByLabel('Amount').fill('10');
    await asking.getByLabel('Reason').fill('Late delivery');
    await press(asking, 'Refund £10.00');
    await gone(asking);
    await site.service.advance('PT1M');
    const row = rowsOf(page, 'Refunds').first();
    await row.getByText('Refunded', { exact: true }).waitFor();
    await row.getByText('£10.00').waitFor();
    await row.getByText('Late delivery').waitFor();
    await card(page, 'Progress').getByText('£10.00 refunded').waitFor();
    await openEvidence(page);
    for (const words of ['Reserved for a refund', 'Refunded'])
      await rowsOf(page, 'Ledger entries').filter({ hasText: words }).first().waitFor();
    await assertGood(page, 'a refunded payment');
  });

  test('it is on the list of refunds, by status, with its payment', async () => {
    await finance.open('/');
    await page.getByRole('link', { name: 'Refunds', exact: true }).click();
    await seeHeading(page, 'Refunds');
    await rowsOf(page, 'Refunds').getByText('Late delivery').waitFor();
    await assertGood(page, 'refunds');
    await page.getByLabel('Status').selectOption('Failed');
    await seeText(page, 'No refunds match');
    await page.getByLabel('Status').selectOption('Refunded');
    await rowsOf(page, 'Refunds').getByRole('link').first().click();
    await seeHeading(page, 'Payment of £49.99');
  });

  test('the settlement says what was netted, in the sums, the three places and the CSV', async () => {
    await site.service.advance('2026-01-07T12:00:00Z');
    await finance.open('/settlements');
    await page.getByRole('link', { name: 'Wed 7 Jan 2026' }).click();
    await seeHeading(page, 'Settlement of £39.99');
    await card(page, 'How it adds up').getByText('−£10.00').waitFor();
    const places = card(page, 'One number in three places');
    await places.getByText('Its 1 payment, less refunds').waitFor();
    await places.getByText(/^All three match to the penny/).waitFor();
    assert.equal(await places.getByText('£39.99', { exact: true }).count(), 3);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    const [names = [], ...rows] = lines.map((line) => line.split(','));
    const column = (name: string) => rows.map((cells) => cells[names.indexOf(name)]);
    assert.deepEqual(column('kind'), ['payment', 'refund']);
    assert.deepEqual(column('amount'), ['49.99', '-10.00']);
    await assertGood(page, 'a settlement with a refund');
  });

  test('a refund that the wallet cannot pay is refused in words, or waits where an owner allows it', async () => {
    await finance.open(`/payments/${paymentId}`);
    await press(page, 'Refund');
    const asking = page.getByRole('dialog', { name: /^Refund \+44 7700/ });
    assert.equal(await asking.getByLabel('Amount').inputValue(), '39.99');
    await press(asking, 'Refund £39.99');
    await asking.getByText(/Your wallet holds less than GBP 39\.99/).waitFor();
    const owner = await site.member('owner');
    await owner.open('/settings');
    await owner.page.getByLabel('Let refunds wait until your wallet holds enough').check();
    await press(card(owner.page, 'Refunds'), 'Save');
    await seeText(owner.page, 'Saved.');
    await press(asking, 'Refund £39.99');
    await gone(asking);
    await rowsOf(page, 'Refunds').getByText('Pending').waitFor();
  });

  test('who may only read sees refunds, and no button', async () => {
    const reader = await site.member('read_only');
    await reader.open(`/payments/${paymentId}`);
    await rowsOf(reader.page, 'Refunds').getByText('Late delivery').waitFor();
    assert.equal(await reader.page.getByRole('button', { name: 'Refund', exact: true }).count(), 0);
  });

  test('the customer sees on their page what was given back', async () => {
    const customer = await site.stranger();
    await customer.page.goto(consentUrl);
    await seeText(customer.page, '£10.00 was refunded on 6 January 2026.');
    await seeText(customer.page, 'A refund of £39.99 has been requested.');
    assert.equal(await customer.page.getByText('Late delivery').count(), 0);
    await assertBooksInOrder(site.service);
  });
});
