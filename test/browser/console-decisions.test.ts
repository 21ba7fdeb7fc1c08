// Slow: goes through one decision of operators after the other in a browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import { grantedSchedule, newSchedule } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText } from './account.ts';
import { type ConsoleVisitor, operatorOf } from './console-page.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, countActs, gone, press, rowsOf, wordsOn } from './look.ts';

const REASON = 'Ms Elm of the bank by phone, see ticket 4711';

/** Every pay-in is a penny short, and goes to no payment without a person's word. */
describe('what operators decide in their console', () => {
  let site: Site;
  let robin: ConsoleVisitor;
  let kim: ConsoleVisitor;
  let owner: Person;
  before(async () => {
    site = await startSite({
      SANDBOX_ISSUER_MODES: 'short_pay_ins',
      FOUR_EYES_ABOVE_PENCE: '1000',
    });
    for (const description of ['Rowing', 'Fencing'])
      await grantedSchedule(site.service, 'alex', {
        frequency: { type: 'monthly', day: 7 },
        description,
      });
    await site.service.advance('2026-01-07T12:00:00Z');
    owner = await site.member('owner');
    robin = await operatorOf(site, 'Robin Fern');
    kim = await operatorOf(site, 'Kim Ash');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('stray money is decided in three acts from the queue, without a look-up elsewhere', async () => {
    const { page } = robin;
    await robin.open('/');
    await page.getByRole('link', { name: 'Needs a decision 2' }).click();
    await seeHeading(page, 'Needs a decision');
    await seeText(page, '2 decisions, £99.96');
    const short = rowsOf(page, 'Needs a decision').filter({
      hasText: 'Expected £49.99, arrived £49.98 (1p short)',
    });
    await short.nth(1).waitFor();
    assert.match(
      (await short.first().textContent()) ?? '',
      /Northbank, due 7 Jan 2026.*Fernhill Gym/,
    );
    await assertGood(page, 'console, the queue of decisions');
    const acts = await countActs(page);
    await press(short.first(), 'Accept £49.98…');
    await robin.decide(REASON, 'Accept £49.98', 'console, money that is accepted');
    assert.equal(await acts(), 3);
    await page.getByText('Decided first: Robin Fern').waitFor();
  });

  test('above the limit a second operator approves on its page, where the evidence is', async () => {
    const { page } = kim;
    await kim.open('/decisions?kind=unallocated_money');
    const mine = rowsOf(page, 'Needs a decision').filter({ hasText: 'Decided first' });
    await mine.getByRole('link').first().click();
    await seeHeading(page, 'Expected £49.99, arrived £49.98 (1p short)');
    await page.getByText('Robin Fern: Accept £49.98').waitFor();
    await page.getByText(/^For the payment pay_/).waitFor();
    await card(page, 'What to do').getByRole('link', { name: 'Runbook' }).waitFor();
    await card(page, 'What it is about').getByRole('link', { name: 'Fernhill Gym' }).waitFor();
    await rowsOf(page, 'Attempts at the bank').getByText(/ACCC/).waitFor();
    await rowsOf(page, 'Ledger entries').getByText('£49.98').waitFor();
    await assertGood(page, 'console, money that waits for a second operator');
    await press(page, 'Accept £49.98…');
    const dialog = page.getByRole('dialog');
    const payment = dialog.getByLabel('Payment');
    const guessed = await payment.inputValue();
    await payment.fill('pay_0000000000000000000001');
    await dialog.getByLabel('Reason').fill(REASON);
    await press(dialog, 'Accept £49.98');
    await seeText(page, 'This was refused');
    await payment.fill(guessed);
    const address = new URL(page.url()).pathname.replace('/console', '');
    await kim.decide(REASON, 'Accept £49.98');
    await seeHeading(page, 'Needs a decision');
    await mine.waitFor({ state: 'detached' });
    await kim.open(address.replace('/decisions/unallocated_money', '/unallocated'));
    await seeText(page, `“${REASON}” (Robin Fern and Kim Ash`);
    assert.equal(
      await page.getByText('What to do', { exact: true }).count(),
      0,
      'nothing waits any more',
    );
    await assertGood(page, 'console, money with its decision');
  });

  test('a payment without an outcome is marked as failed with a reason, and needs nobody any more', async () => {
    const { page } = robin;
    await site.service.db.transaction((tx) =>
      tx.run(
        `UPDATE unallocated_items SET payment_id = NULL, attempt = NULL, schedule_id = NULL, reason = 'nothing_awaited'
         WHERE status = 'open'`,
      ),
    );
    await site.service.advance('2026-01-08T12:00:00Z');
    await robin.open('/payments');
    await seeHeading(page, 'Needs a decision');
    const row = rowsOf(page, 'Needs a decision');
    await row.getByRole('link', { name: /nothing has arrived/ }).click();
    await card(page, 'Expected and arrived').getByText('£0.00').waitFor();
    await assertGood(page, 'console, a payment that needs an operator');
    await press(page, 'Mark as failed…');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Payment pay_/).waitFor();
    await press(dialog, 'Mark as failed');
    await seeText(page, 'Say why.');
    await robin.decide(REASON, 'Mark as failed', 'console, a payment to mark as failed');
    await seeHeading(page, 'Needs a decision');
    await robin.open('/decisions?kind=payment');
    await seeText(page, 'No decisions match');
    await assertGood(page, 'console, a queue in which nothing matches');
    await robin.open('/decisions/payment/pay_0000000000000000000001');
    await seeHeading(page, 'Nothing to decide');
    await assertGood(page, 'console, a decision that is over');
  });

  test('a day is reconciled on demand, and a difference is resolved with a reason', async () => {
    const { page } = robin;
    await robin.open('/reconciliation');
    await press(page, 'Reconcile a day…');
    const dialog = page.getByRole('dialog');
    await press(dialog, 'Reconcile');
    await seeText(page, 'Choose a day.');
    await dialog.getByLabel('Day', { exact: true }).fill('2036-01-01');
    await press(dialog, 'Reconcile');
    await dialog.getByText(/must not lie in the future/i).waitFor();
    await assertGood(page, 'console, a day to reconcile');
    await dialog.getByLabel('Day', { exact: true }).fill('2026-01-04');
    await press(dialog, 'Reconcile');
    await gone(dialog);
    await rowsOf(page, 'Reports').filter({ hasText: '4 Jan' }).waitFor();
    // Set once the day is reconciled, which ends the differences that are none.
    await site.service.db.transaction((tx) =>
      tx.run(
        `INSERT INTO reconciliation_items (issuer, item, date, amount_pence, what, found_at, seen_at)
         VALUES ('issuer', 'line 7', '2026-01-05', 700, 'A line is only on the statement', $1, $1)`,
        [site.service.now()],
      ),
    );
    await robin.open('/reconciliation');
    await assertGood(page, 'console, reconciliation with a difference');
    await press(rowsOf(page, 'Open differences').filter({ hasText: '£7.00' }), 'Resolve…');
    await robin.decide(REASON, 'Resolve', 'console, a difference to resolve');
    await page.getByText('A line is only on the statement').waitFor({ state: 'detached' });
  });

  test('the reset of a user is asked for, and a second operator agrees; no link is shown', async () => {
    const { page } = robin;
    await robin.open(`/users?${new URLSearchParams({ q: owner.email })}`);
    const choose = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for owner Fern' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await choose('Reset…');
    await robin.decide(REASON, 'Ask for it', 'console, a reset to ask for');
    await robin.open('/operators');
    const mine = rowsOf(page, 'Waiting for a second operator').filter({ hasText: 'Reset' });
    await mine.getByRole('button', { name: 'Take back…' }).waitFor();
    assert.equal(await mine.getByRole('button', { name: 'Agree…' }).count(), 0);
    await assertGood(page, 'console, operators and what waits');
    await kim.open('/operators');
    const theirs = rowsOf(kim.page, 'Waiting for a second operator').filter({ hasText: 'Reset' });
    await theirs.getByRole('button', { name: 'Agree…' }).click();
    await kim.decide(REASON, 'Agree', 'console, a request to agree with');
    await seeText(kim.page, 'Nothing waits for a second operator');
    assert.doesNotMatch(await wordsOn(kim.page), /token=/);
  });

  test('an owner is removed by two', async () => {
    const { page } = robin;
    await robin.open(`/users?${new URLSearchParams({ q: owner.email })}`);
    await page.getByRole('button', { name: 'Actions for owner Fern' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('dialog').getByLabel('Even if a team is left without an owner').check();
    await robin.decide(REASON, 'Remove owner Fern', 'console, an owner to remove');
    await seeText(page, 'A second operator must agree.');
  });

  test('a customer is found by id, exported and erased under the operator’s name, once nothing is under way', async () => {
    const { id, customer } = await newSchedule(site.service, {
      customer: { phone: '+447911123499', name: 'Sam Ashby' },
    });
    const { page } = robin;
    await robin.open(`/search?${new URLSearchParams({ q: customer.id })}`);
    await page.getByRole('table', { name: 'Matches' }).getByRole('link').click();
    await seeHeading(page, 'Customer of Fernhill Gym');
    assert.ok(!(await wordsOn(page)).includes('Ashby'), 'the page names nobody');
    await press(page, 'Export their data…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(REASON);
    const arrives = page.waitForEvent('download');
    await press(dialog, 'Download data');
    assert.match(await readFile(await (await arrives).path(), 'utf8'), /Sam Ashby/);
    await gone(dialog);
    await press(page, 'Erase…');
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByLabel('Type ERASE to confirm').fill('ERASE');
    await press(dialog, 'Erase for good');
    await seeText(page, /Something is still under way for this customer: 1 schedule, 1 consent\./);
    await assertGood(page, 'console, erasing a customer');
    await site.service.api('PUT', `/api/v1/schedules/${id}`, { status: 'cancelled' });
    await press(dialog, 'Erase for good');
    await gone(dialog);
    await page.locator('header').getByText('Erased', { exact: true }).waitFor();
    await assertGood(page, 'console, an erased customer');
    await robin.open(`/activity?${new URLSearchParams({ object_id: customer.id })}`);
    const rows = rowsOf(page, 'Activity').filter({ hasText: 'Robin Fern' });
    for (const what of ['Exported personal data', 'erased']) await rows.getByText(what).waitFor();
  });

  test('a merchant reads on every page that it is suspended and that its pay-outs are held', async () => {
    const member = await site.member('owner');
    await robin.open(`/merchants/${site.service.merchantId}`);
    for (const label of ['Suspend', 'Hold pay-outs']) {
      await press(robin.page, label);
      await robin.decide(REASON, label);
    }
    for (const path of ['/', '/schedules']) {
      await member.open(path);
      await seeText(member.page, 'Your account is suspended');
      await seeText(member.page, 'Your settlements are on hold');
    }
    await card(member.page, 'Notice about your suspension').waitFor();
    await assertGood(member.page, 'the dashboard of a merchant on hold');
    for (const label of ['Resume', 'Release pay-outs']) {
      await press(robin.page, label);
      await robin.decide(REASON, label);
    }
    await member.open('/');
    await member.page.getByText('Your account is suspended').waitFor({ state: 'detached' });
    await member.page.getByText('Your settlements are on hold').waitFor({ state: 'detached' });
  });
});
