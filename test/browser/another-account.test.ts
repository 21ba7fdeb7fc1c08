// Slow: goes through a change of banks, as the merchant and as the customer.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { grantedSchedule } from '../scenarios/acts.ts';
import { assertGood, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, press, rowsOf } from './look.ts';

const CLOSED = 'Account closed';
/** How many things each side may have to do. */
const MOST_STEPS = 3;

/** Counts what a person does on a page; their own bank asks what it asks. */
function counted(): { steps: number; does(act: () => Promise<unknown>): Promise<void> } {
  const count = {
    steps: 0,
    async does(act: () => Promise<unknown>) {
      count.steps += 1;
      await act();
    },
  };
  return count;
}

describe('a customer who has changed banks', () => {
  let site: Site;
  let owner: Person;
  let page: Page;
  before(async () => {
    site = await startSite();
    owner = await site.member('owner');
    page = owner.page;
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('the merchant asks from the failed payment, the customer agrees, and the payment can be retried', async () => {
    const { id } = await grantedSchedule(site.service, 'cleo', {
      description: 'Rowing',
      frequency: { type: 'weekly', day: 2 },
    });
    await site.service.advance('2026-01-07T12:00:00Z');
    await owner.open('/attention');
    await rowsOf(page, CLOSED).filter({ hasText: 'Rowing' }).waitFor();
    await assertGood(page, 'a failure of the account');
    assert.equal(
      await card(page, CLOSED)
        .getByRole('button', { name: /^Retry/ })
        .count(),
      0,
    );
    await owner.open(`/schedules/${id}`);
    const merchant = counted();
    await merchant.does(() => press(page, 'Ask for another account'));
    const asking = page.getByRole('alertdialog', { name: /^Ask .+ for another account\?$/ });
    await asking.getByText('Until they agree, we collect from the present account.').waitFor();
    await assertGood(page, 'asking for another account');
    await merchant.does(() => press(asking, 'Create a new link'));
    await seeText(page, 'The new link is below. Send it to the customer yourself.');
    await page.getByRole('heading', { name: 'Asked for another account' }).waitFor();
    await assertGood(page, 'asked for another account');
    assert.ok(merchant.steps <= MOST_STEPS, `${merchant.steps} steps`);
    await owner.open('/attention');
    await rowsOf(page, CLOSED).getByText('Waiting for the customer').waitFor();
    await site.service.grant(id, 'alex');
    await rowsOf(page, CLOSED).getByText('Agreed').waitFor();
    await press(card(page, CLOSED), 'Retry payment');
    await page.getByRole('alertdialog').waitFor();
    await assertGood(page, 'a retry at the new account');
  });

  test('the customer moves from their own page', async () => {
    const { id } = await grantedSchedule(site.service, 'alex', { description: 'Fencing' });
    const { body } = await site.service.api<{ portal_url: string }>(
      'GET',
      `/api/v1/schedules/${id}`,
    );
    const { page: own } = await site.stranger();
    await own.goto(body.portal_url);
    await own.getByText('Another account', { exact: true }).waitFor();
    const customer = counted();
    await customer.does(() =>
      own.getByRole('button', { name: 'Pay from another account' }).click(),
    );
    await own.getByText('Choose the account to pay from.').waitFor();
    await customer.does(() => own.getByRole('radio').last().check());
    await customer.does(() => own.getByRole('button', { name: 'Continue to your bank' }).click());
    await own.waitForURL((at) => !at.pathname.startsWith('/consent/'));
    assert.ok(customer.steps <= MOST_STEPS, `${customer.steps} steps`);
  });
});
