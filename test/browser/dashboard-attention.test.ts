// Slow: looks at one trouble after the other in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { grantedSchedule, newSchedule, readSchedule } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText, textOf } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, press, rowsOf } from './look.ts';

const POOR = 'Not enough money';

/** What a support team does in the morning. The sandbox begins on 5 January 2026, a Monday. */
describe('what needs attention', () => {
  let site: Site;
  let owner: Person;
  let page: Page;
  let failing: string[];

  before(async () => {
    site = await startSite();
    owner = await site.member('owner');
    page = owner.page;
    const weekly = {
      amount: { value: 9_000_000, currency: 'GBP' },
      frequency: { type: 'weekly', day: 2 },
      max_retries: 0,
    };
    failing = [];
    for (const description of ['Rowing', 'Fencing'])
      failing.push((await grantedSchedule(site.service, 'nina', { ...weekly, description })).id);
    await grantedSchedule(site.service, 'alex', { frequency: { type: 'weekly', day: 2 } });
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('where all is well the page says so, and the overview is silent', async () => {
    await owner.open('/attention');
    await seeText(page, 'Nothing needs attention');
    await assertGood(page, 'nothing needs attention');
    await owner.open('/');
    assert.equal(await page.getByRole('heading', { name: 'Needs attention' }).count(), 0);
  });

  test('the overview begins with what needs somebody, and leads there', async () => {
    await newSchedule(site.service, { description: 'Archery' });
    await site.service.advance('2026-01-07T12:00:00Z');
    await owner.open('/');
    await card(page, 'Needs attention').waitFor();
    const first = page.getByRole('main').getByRole('heading', { level: 2 }).first();
    assert.equal(await textOf(first), 'Needs attention');
    await assertGood(page, 'an overview with work to do');
    await card(page, 'Needs attention')
      .getByRole('link', { name: /2 schedules failing, £180,000\.00/ })
      .click();
    await seeHeading(page, 'Needs attention');
    await rowsOf(page, POOR).filter({ hasText: 'Rowing' }).waitFor();
    await rowsOf(page, 'Consents waiting for the customer')
      .filter({ hasText: 'Archery' })
      .waitFor();
    await assertGood(page, 'what needs attention');
    await owner.open('/schedules');
    await page
      .getByRole('row')
      .filter({ hasText: 'Fencing' })
      .getByText('Active, failing')
      .waitFor();
  });

  test('all that fail for one reason are retried at once, and what the banks say is shown', async () => {
    await owner.open('/attention');
    await press(card(page, POOR), 'Retry 2 payments');
    const asking = page.getByRole('alertdialog', { name: 'Collect 2 payments again?' });
    await asking.getByText('£180,000.00').waitFor();
    await assertGood(page, 'retrying a group');
    await press(asking, 'Retry 2 payments');
    await asking.getByText(/^\d retried\.$/).waitFor();
    await asking.getByRole('button', { name: 'Close' }).last().click();
  });

  test('all of them are cancelled at once, and nothing is left to do for them', async () => {
    await site.service.advance('2026-01-08T12:00:00Z');
    await owner.open('/attention');
    await press(card(page, POOR), 'Cancel 2 schedules');
    const asking = page.getByRole('alertdialog', { name: 'Cancel 2 schedules?' });
    await press(asking, 'Cancel 2 schedules');
    await asking.getByText('2 cancelled.').waitFor();
    await asking.getByRole('button', { name: 'Close' }).last().click();
    await card(page, POOR).waitFor({ state: 'detached' });
    for (const id of failing)
      assert.equal((await readSchedule(site.service, id)).status, 'cancelled');
  });

  test('a consent that the bank wants to be confirmed again is there until the customer has', async () => {
    const frequency = { type: 'weekly', day: 5 };
    const start = { frequency, description: 'Aikido' };
    const { id } = await grantedSchedule(site.service, 'rita', start);
    await site.service.advance('2026-01-09T12:00:00Z');
    await owner.open('/');
    await card(page, 'Needs attention')
      .getByRole('link', { name: /1 consent to be confirmed again/ })
      .click();
    await rowsOf(page, 'Consents to be confirmed again').filter({ hasText: 'Aikido' }).waitFor();
    await assertGood(page, 'a consent to be confirmed again');
    await page.getByRole('link', { name: 'Aikido' }).first().click();
    await seeText(page, 'The customer needs to confirm this consent again at their bank');
    await seeText(page, 'The bank asked the customer to confirm the consent again');
    await assertGood(page, 'a schedule that waits for its customer');
    await site.service.grant(id, 'rita');
    await seeText(page, 'The customer confirmed the consent again');
    await owner.open('/attention');
    await seeText(page, 'Archery');
    assert.equal(await page.getByText('Aikido').count(), 0);
  });

  test('a figure of the overview leads to its rows', async () => {
    await owner.open('/');
    await page.getByRole('term').getByRole('link', { name: 'Failed' }).click();
    await seeHeading(page, 'Payments');
    await page.getByRole('row').filter({ hasText: 'Rowing' }).first().waitFor();
    assert.equal(await page.getByRole('row').filter({ hasText: 'Membership' }).count(), 0);
  });
});
