// Slow: goes through single collections in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Route } from 'playwright-core';
import { grantedSchedule } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card as cardOf, gone } from './look.ts';

/** A schedule of £30 a month under a consent for £49.99; the sandbox begins on 5 January 2026. */
describe('collecting once in the dashboard', () => {
  let site: Site;
  let owner: Person;
  let scheduleId: string;

  before(async () => {
    site = await startSite();
    owner = await site.member('owner');
    const { id } = await grantedSchedule(site.service, 'alex', {
      frequency: { type: 'monthly', day: 7 },
      description: 'Broadband',
    });
    scheduleId = id;
    const lower = { amount: { value: 3000, currency: 'GBP' } };
    await site.service.api('PUT', `/api/v1/schedules/${id}`, lower);
    await site.service.advance('2026-01-08T12:00:00Z');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  const card = (title: string) => cardOf(owner.page, title);

  test('the dialog shows the room that is left, and refuses what does not fit with the reason', async () => {
    const { page } = owner;
    await owner.open(`/schedules/${scheduleId}`);
    await seeHeading(page, 'Broadband');
    await page.getByRole('button', { name: 'Collect once' }).click();
    const dialog = page.getByRole('dialog', { name: /^Collect once from/ });
    await dialog.getByText('The customer’s limits leave £19.99 now').waitFor();
    await dialog.getByLabel('Amount').fill('25');
    await assertGood(page, 'collecting once');
    await dialog.getByRole('button', { name: 'Collect £25.00' }).click();
    await dialog.getByText(/leave £19\.99 for it now, besides the coming payments/).waitFor();
    await dialog.getByLabel('Amount').fill('12.50');
    await dialog.getByLabel('What it is for').fill('Router');
    await dialog.getByRole('button', { name: 'Collect £12.50' }).click();
    await gone(dialog);
    await seeText(page, '£12.50 is being collected.');
    const line = card('Payments').getByRole('listitem').filter({ hasText: 'Router' }).first();
    await line.getByText('Collected').first().waitFor();
    await line.locator('summary').click();
    await line.getByRole('link', { name: 'Payment details and evidence' }).click();
    await seeHeading(page, 'Payment of £12.50');
    await seeText(page, 'Collected once, besides the schedule');
    await page.goBack();
    await card('What happened').getByText('A payment besides the schedule was requested').waitFor();
  });

  test('a payment for a later day stands among the coming collections, as planned and not as used', async () => {
    const { page } = owner;
    await page.getByRole('button', { name: 'Collect once' }).click();
    const dialog = page.getByRole('dialog', { name: /^Collect once from/ });
    await dialog.getByText('The customer’s limits leave £7.49 now').waitFor();
    await dialog.getByLabel('Amount').fill('5');
    await dialog.getByLabel(/Collect on/).fill('2026-01-20T10:00');
    await dialog.getByRole('button', { name: 'Collect £5.00' }).click();
    await gone(dialog);
    const coming = card('Coming collections').getByRole('listitem').first();
    await coming.getByText('20 Jan 2026, 10:00').waitFor();
    await coming.getByText('Collected once, besides the schedule').waitFor();
    await card('Consent').getByText('£42.50 used, £5.00 planned, £7.49 left').waitFor();
    await assertGood(page, 'a schedule with a payment planned for later');
    await site.service.advance('2026-01-20T12:00:00Z');
    await card('Consent').getByText('£47.50 used, £2.49 left').waitFor();
  });

  test('whoever presses again after an answer was lost collects once', async () => {
    const { page } = owner;
    await page.getByRole('button', { name: 'Collect once' }).click();
    const dialog = page.getByRole('dialog', { name: /^Collect once from/ });
    await dialog.getByLabel('Amount').fill('1');
    const lose = async (route: Route): Promise<void> => {
      await route.fetch();
      await route.abort();
    };
    await page.route(/\/schedules\/\w+\/payments$/, lose, { times: 2 });
    await dialog.getByRole('button', { name: 'Collect £1.00' }).click();
    await dialog.getByText('Check your connection, then try again.').waitFor();
    await dialog.getByRole('button', { name: 'Collect £1.00' }).click();
    await gone(dialog);
    await seeText(page, 'Your first try worked. It was not done again.');
    const { body } = await site.service.api<{ data: { amount: { value: number } }[] }>(
      'GET',
      `/api/v1/schedules/${scheduleId}/payments`,
    );
    assert.equal(body.data.filter(({ amount }) => amount.value === 100).length, 1);
  });

  test('a member who may only read cannot collect', async () => {
    const reader = await site.member('read_only');
    await reader.open(`/schedules/${scheduleId}`);
    await seeHeading(reader.page, 'Broadband');
    assert.equal(await reader.page.getByRole('button', { name: 'Collect once' }).count(), 0);
    await reader.context.close();
  });
});
