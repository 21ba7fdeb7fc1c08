import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { verifyCaseFile } from '../../clients/verify-case-file/verify-case-file.mjs';
import { assertBooksInOrder, newSchedule, paymentOf } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText } from './account.ts';
import { operatorOf } from './console-page.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, gone, press, rowsOf } from './look.ts';

describe('a dispute from the customer’s tap to the money back', () => {
  let site: Site;
  let finance: Person;
  let customer: Page;
  let consentUrl: string;
  let scheduleId: string;

  before(async () => {
    site = await startSite();
    const { service } = site;
    const made = await newSchedule(service, {
      frequency: 'weekly',
      start_date: '2026-01-06T09:00:00Z',
      description: 'Judo club',
    });
    scheduleId = made.id;
    consentUrl = made.consent_url ?? '';
    await service.grant(scheduleId, 'alex');
    await service.advance('2026-01-06T14:00:00Z');
    finance = await site.member('finance');
    customer = (await site.stranger({ viewport: { width: 375, height: 812 } })).page;
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  const balance = async (): Promise<number> => {
    const { accounts } = await site.service.bankBooks();
    const found = accounts.find((a) => a.bank === 'northbank' && a.account_number === '10000011');
    return found?.balance_pence ?? 0;
  };

  test('the customer says that they do not recognise a payment, and is told by when they have an answer', async () => {
    await customer.goto(consentUrl);
    await customer.getByRole('link', { name: 'I don’t recognise this payment' }).click();
    await seeHeading(customer, 'You don’t recognise this payment?');
    await press(customer, 'Tell Fernhill Gym');
    await customer.getByText('Choose what is wrong to continue.').waitFor();
    await assertGood(customer, 'a reason is missing');
    await customer.getByLabel('I did not agree to this payment').check();
    await customer.getByLabel(/Anything Fernhill Gym should know/).fill('I was never there');
    await press(customer, 'Tell Fernhill Gym');
    await seeHeading(customer, 'You told us about this payment');
    await seeText(customer, /until the end of Wednesday 7 January 2026 to answer/);
    await assertGood(customer, 'a dispute that is open');
    await customer.getByRole('link', { name: 'Back' }).click();
    await seeText(customer, /You told us about this payment/);
    assert.equal(
      await customer.getByRole('link', { name: 'I don’t recognise this payment' }).count(),
      0,
    );
  });

  test('the merchant sees it with its deadline, and refunds it in one act', async () => {
    const { page } = finance;
    await finance.open('/attention');
    await rowsOf(page, 'Disputed payments').getByText('They did not agree to it').waitFor();
    await assertGood(page, 'attention with a dispute');
    await finance.open('/disputes');
    await rowsOf(page, 'Disputes').getByText('Judo club').waitFor();
    await assertGood(page, 'disputes');
    await rowsOf(page, 'Disputes').getByRole('link').first().click();
    await seeHeading(page, 'Dispute of £49.99');
    await seeText(page, 'It waits for your answer');
    await seeText(page, 'I was never there');
    await assertGood(page, 'an open dispute');
    const before = await balance();
    await press(page, 'Refund £49.99');
    const asking = page.getByRole('dialog', { name: /^Refund \+44 7700/ });
    await asking.getByRole('button', { name: /^Refund £49\.99 to \+44 7700/ }).waitFor();
    await assertGood(page, 'refunding a dispute');
    await asking.getByRole('button', { name: /^Refund £49\.99 to/ }).click();
    await gone(asking);
    await card(page, 'What is disputed').getByText('Given back').waitFor();
    await site.service.advance('PT5M');
    assert.equal(await balance(), before + 4999, 'the bank shows the money come back');
    await assertBooksInOrder(site.service);
  });

  test('the case file is downloaded, and its verifier passes it', async () => {
    const { page } = finance;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download case file' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^case-file-dsp_\w+\.zip$/);
    const zip = await readFile(await download.path());
    const answer = await fetch(`${site.service.baseUrl}/.well-known/case-file-keys.json`);
    const { keys } = (await answer.json()) as { keys: object[] };
    const { status, lines } = verifyCaseFile(zip, keys);
    assert.deepEqual([status, lines[0]?.split(':')[0]], [0, 'Verified']);
  });

  test('the customer sees the money coming back, and keeps what they agreed to as a file, even when it has ended', async () => {
    await customer.goto(consentUrl);
    await seeText(customer, /Fernhill Gym gives £49\.99 back to you/);
    await seeText(customer, '£49.99 was refunded on 6 January 2026.');
    await assertGood(customer, 'a refunded dispute');
    for (const phase of ['granted', 'ended']) {
      const [download] = await Promise.all([
        customer.waitForEvent('download'),
        customer.getByRole('link', { name: 'Download what I agreed to (PDF)' }).click(),
      ]);
      const pdf = await readFile(await download.path());
      assert.match(pdf.toString('latin1'), /^%PDF-1\.7/, phase);
      if (phase === 'ended') break;
      await site.service.api('PUT', `/api/v1/schedules/${scheduleId}`, { status: 'cancelled' });
      await customer.goto(consentUrl);
      await seeHeading(customer, 'Your permission has ended');
    }
    await customer.getByRole('link', { name: /^Tell Fernhill Gym about a payment/ }).click();
    await seeHeading(customer, 'Which payment don’t you recognise?');
    await assertGood(customer, 'which payment');
  });

  test('who may only read sees the dispute, and neither its file nor a button', async () => {
    const payment = await paymentOf(site.service, scheduleId);
    const reader = await site.member('read_only');
    await reader.open(`/payments/${payment.id}`);
    await reader.page.getByRole('link', { name: 'Dispute', exact: true }).click();
    await seeHeading(reader.page, 'Dispute of £49.99');
    await reader.page.getByRole('heading', { name: 'The case file' }).waitFor();
    assert.equal(await reader.page.getByRole('link', { name: 'Download case file' }).count(), 0);
    await assertGood(reader.page, 'a dispute, to who may only read');
    assert.equal(await reader.page.getByRole('button', { name: /^Refund|Reject/ }).count(), 0);
  });

  test('an operator sees it among those of all merchants, and takes its file with a reason that is recorded', async () => {
    const robin = await operatorOf(site, 'Robin Fern');
    const { page } = robin;
    await robin.open('/disputes?status=refunded');
    const row = rowsOf(page, 'Disputes').first();
    await row.getByText('Fernhill Gym').waitFor();
    await row.getByText('£49.99').waitFor();
    await assertGood(page, 'console, disputes');
    await row.getByRole('button', { name: 'Case file…' }).click();
    const coming = page.waitForEvent('download');
    await robin.decide('the ombudsman asks for it', 'Download', 'console, taking a case file');
    assert.match((await coming).suggestedFilename(), /^case-file-dsp_\w+\.zip$/);
    await robin.open('/activity');
    await page.getByText('the ombudsman asks for it').waitFor();
  });
});
