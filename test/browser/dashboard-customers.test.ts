import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { grantedSchedule, newSchedule, type ScheduleBody } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { goTo } from './dashboard-page.ts';
import { card, gone } from './look.ts';

describe('who a customer is', () => {
  let site: Site;
  let owner: Person;
  let granted: ScheduleBody;

  before(async () => {
    site = await startSite();
    granted = await grantedSchedule(site.service, 'alex', { description: 'Broadband' });
    for (let n = 10; n < 14; n += 1)
      await newSchedule(site.service, { customer: { phone: `+4479111234${n}` } });
    owner = await site.member('owner');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  const rows = (page: Page) => page.getByRole('table').getByRole('row');

  test('a schedule is created for a customer with a name, an email and a reference', async () => {
    const { page } = owner;
    await owner.open('/schedules/new');
    await page.getByLabel('Amount', { exact: true }).fill('12.50');
    await page.getByLabel('Description').fill('Piano lessons');
    await page.getByLabel('Phone number').fill('07911 123456');
    await page.getByLabel(/^Name/).fill('Kim O’Brien');
    await page.getByLabel(/^Email address/).fill('kim@fern');
    await page.getByLabel(/^Your reference/).fill('C-1042');
    await page.getByLabel(/^Reference on their bank statement/).fill('PIANO 0042');
    await assertGood(page, 'a new schedule with a named customer');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await seeText(page, 'Must be an email address.');
    await page.getByLabel(/^Email address/).fill('kim@fern.example');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await seeHeading(page, 'Schedule created');
    await page.getByRole('link', { name: 'Go to the schedule' }).click();
    await card(page, 'Terms').getByText('PIANO 0042').waitFor();
    await page.getByRole('link', { name: 'Kim O’Brien' }).click();
    await seeHeading(page, 'Kim O’Brien');
    for (const text of ['kim@fern.example', 'C-1042', '+447911123456'])
      await card(page, 'Details').getByText(text).waitFor();
    await goTo(page, 'Schedules');
    await rows(page).filter({ hasText: 'Piano lessons' }).getByText('Kim O’Brien').waitFor();
  });

  test('a customer is found by name, email, reference and the last digits of the number', async () => {
    const { page } = owner;
    await goTo(page, 'Customers');
    const search = page.getByRole('searchbox', { name: 'Search customers' });
    for (const text of ['obrien', 'kim@fern.example', 'C-1042', '3456']) {
      await search.fill(text);
      await page.waitForURL((url) => url.searchParams.get('q') === text);
      await rows(page).nth(2).waitFor({ state: 'detached' });
      await rows(page).nth(1).getByText('Kim O’Brien').waitFor();
    }
    await rows(page).nth(1).getByText('+44 7911 123456 · kim@fern.example').waitFor();
    await assertGood(page, 'customers with names');
  });

  test('the page shows where the customer pays from, and what the team notes down', async () => {
    const { page } = owner;
    await owner.open(`/customers/${granted.customer.id}`);
    await card(page, 'Details')
      .getByText(/^Northbank ••\d{4}$/)
      .waitFor();
    await page.getByRole('button', { name: 'Edit customer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit customer' });
    await dialog.getByLabel('Name', { exact: true }).fill('Alex Morgan');
    await dialog.getByLabel('Notes').fill('Rang on Monday.\nMoves house in March.');
    await assertGood(page, 'editing a customer');
    await dialog.getByRole('button', { name: 'Save customer' }).click();
    await gone(dialog);
    await seeHeading(page, 'Alex Morgan');
    await card(page, 'Details').getByText('Moves house in March.').waitFor();
    await assertGood(page, 'a customer with a name and notes');
  });

  test('an owner exports what is held of a customer, and erases it after typing so', async () => {
    const { page } = owner;
    const { id, customer } = await newSchedule(site.service, {
      customer: { phone: '+447911123499', name: 'Robin Ash' },
    });
    await site.service.api('PUT', `/api/v1/schedules/${id}`, { status: 'cancelled' });
    await owner.open(`/customers/${customer.id}`);
    await page.getByRole('button', { name: 'Export their data…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('asked on 5 January');
    await assertGood(page, 'exporting a customer');
    const arrives = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download data' }).click();
    assert.equal((await arrives).suggestedFilename(), `${customer.id}.json`);
    await gone(dialog);
    await page.getByRole('button', { name: 'Erase…' }).click();
    await dialog.getByLabel('Reason').fill('asked on 5 January');
    await dialog.getByLabel('Type ERASE to confirm').fill('erase');
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await seeText(page, 'Type ERASE in capital letters.');
    await assertGood(page, 'erasing a customer');
    await dialog.getByLabel('Type ERASE to confirm').fill('ERASE');
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await gone(dialog);
    await seeHeading(page, 'Erased customer');
    for (const name of ['Edit customer', 'New schedule'])
      assert.equal(await page.getByText(name, { exact: true }).count(), 0, name);
    assert.equal(await page.getByText('Known once they give consent').count(), 0);
    await assertGood(page, 'an erased customer');
    await owner.open('/customers');
    await rows(page).filter({ hasText: 'Erased customer' }).waitFor();
    await owner.open('/settings/activity');
    await seeText(page, 'Personal data erased');
    await seeText(page, 'Personal data exported');
  });

  test('a member who may only read sees the notes and cannot change them', async () => {
    const reader = await site.member('read_only');
    await reader.open(`/customers/${granted.customer.id}`);
    await seeHeading(reader.page, 'Alex Morgan');
    await card(reader.page, 'Details').getByText('Rang on Monday.').waitFor();
    for (const name of ['Edit customer', 'Erase…'])
      assert.equal(await reader.page.getByRole('button', { name }).count(), 0);
    await reader.context.close();
  });
});
