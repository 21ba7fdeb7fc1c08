// Slow: goes through the amounts of single collections in a browser.
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { assertGood, seeHeading, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { agreeAsAlex, badgeOf, namesProblem } from './dashboard-page.ts';
import { card as cardOf, gone, press } from './look.ts';

/** A schedule whose collections each have their own amount. The sandbox begins on 5 January 2026. */
describe('amounts of single collections in the dashboard', () => {
  let site: Site;
  let owner: Person;
  let customer: Person;
  before(async () => {
    site = await startSite();
    owner = await site.member('owner');
    customer = await site.stranger();
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  const coming = (date: string): Locator =>
    cardOf(owner.page, 'Coming collections').getByRole('listitem').filter({ hasText: date });

  /** Chooses an action on a coming collection. */
  async function choose(date: string, action: string): Promise<void> {
    await coming(date).getByRole('button').click();
    await owner.page.getByRole('menuitem', { name: action }).click();
  }

  test('a schedule is created with limits, and limits that are too low are named at their field', async () => {
    const { page } = owner;
    await owner.open('/schedules/new');
    await page.getByLabel('Amount', { exact: true }).fill('150');
    await page.getByLabel('Description').fill('Electricity');
    await page.getByLabel('Phone number').fill('07700 900123');
    await page.getByLabel('What is collected').selectOption('Set for each collection');
    await page.getByLabel('Most per payment').fill('140');
    await namesProblem(page.getByLabel('Most per payment'), /Must be at least £150\.00/);
    await page.getByLabel('Most per payment').fill('250');
    await assertGood(page, 'a form with limits');
    await press(page, 'Create schedule');
    await seeText(page, 'Waiting for consent');
    await page.getByRole('link', { name: 'Go to the schedule' }).click();
    await seeHeading(page, 'Electricity');
    const terms = cardOf(page, 'Terms');
    await terms.getByText('£250.00 per payment, £250.00 per month').waitFor();
    await coming('1 Feb 2026').getByText('Not set').waitFor();
  });

  test('the customer lowers the limits before agreeing, but not below what the schedule needs', async () => {
    const { page } = customer;
    const { body } = await site.service.api<{ data: { consent_url: string }[] }>(
      'GET',
      '/api/v1/schedules',
    );
    const link = body.data[0]?.consent_url ?? '';
    await page.goto(link);
    await page.getByText('Up to £250.00 per payment.').waitFor();
    await page.getByText('Change these limits').click();
    await page.getByLabel('Most per payment').fill('100');
    await press(page, 'Save limits');
    await page.getByText('Enter £150.00 or more: these payments need as much.').waitFor();
    await assertGood(page, 'limits below what is needed');
    await page.getByLabel('Most per payment').fill('200');
    await press(page, 'Save limits');
    await page.getByText('Up to £200.00 per payment.').waitFor();
    await agreeAsAlex(page, link);
    await badgeOf(owner.page, 'Active').waitFor();
    await cardOf(owner.page, 'Terms').getByText('£200.00 per payment, £250.00 per month').waitFor();
    await cardOf(owner.page, 'What happened')
      .getByText(/customer changed the limits/i)
      .waitFor();
  });

  test('an amount is set, one above the limits is refused, and the page shows what is set', async () => {
    const { page } = owner;
    await choose('1 Feb 2026', 'Change amount');
    const dialog = page.getByRole('dialog', { name: 'Change amount' });
    await dialog.getByText('The customer allows up to £200.00 per payment.').waitFor();
    await dialog.getByLabel('Amount').fill('200.01');
    await press(dialog, 'Collect £200.01');
    await dialog.getByText(/customer.s limits leave £200\.00 for this collection/).waitFor();
    await assertGood(page, 'an amount above the limits');
    await dialog.getByLabel('Amount').fill('123.45');
    await press(dialog, 'Collect £123.45');
    await gone(dialog);
    await coming('1 Feb 2026').getByText('£123.45').waitFor();
    await coming('1 Feb 2026').getByText('The amount was set for this collection').waitFor();
    await cardOf(page, 'What happened').getByText('A coming collection was changed').waitFor();
  });

  test('a collection is skipped, that is taken back, and one without an amount is skipped when due', async () => {
    const { page } = owner;
    await choose('1 Mar 2026', 'Skip');
    const question = page.getByRole('alertdialog');
    await question.getByText('it is not collected later').waitFor();
    await assertGood(page, 'asking before a collection is left out');
    await question.getByRole('button', { name: /^Skip/ }).click();
    await gone(question);
    await coming('1 Mar 2026').getByText('Skipped', { exact: true }).waitFor();
    await choose('1 Mar 2026', 'Undo');
    await press(question, 'Undo change');
    await gone(question);
    await coming('1 Mar 2026').getByText('Not set').waitFor();
    await assertGood(page, 'a schedule with amounts of its own');
    await site.service.advance('2026-03-02T12:00:00Z');
    await cardOf(page, 'Payments').locator('summary').getByText('£123.45').waitFor();
    await cardOf(page, 'What happened').getByText('A collection was skipped').waitFor();
  });
});
