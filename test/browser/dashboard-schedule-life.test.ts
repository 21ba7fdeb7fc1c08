// Slow: goes through the whole life of a schedule in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { grantedSchedule } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText, textOf } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { agreeAsAlex, badgeOf, goTo } from './dashboard-page.ts';
import { card as cardOf, gone } from './look.ts';

/** Run in the page: a mark that a reload would remove. */
const MARK = 'globalThis.wasNotReloaded = true';
const IS_MARKED = 'globalThis.wasNotReloaded === true';

/** A schedule from its first collection to its end; each test continues the one before. It was agreed to on 5 January 2026. */
describe('the life of a schedule in the dashboard', () => {
  let site: Site;
  let owner: Person;
  let customer: Person;
  let consentUrl: string;

  before(async () => {
    site = await startSite();
    const made = await grantedSchedule(site.service, 'alex', {
      description: 'Climbing club',
      frequency: { type: 'monthly', day: 31 },
    });
    consentUrl = made.consent_url ?? '';
    owner = await site.member('owner');
    customer = await site.stranger();
    await owner.open(`/schedules/${made.id}`);
    await owner.page.evaluate(MARK);
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  /** Returns the part of the merchant's page with this heading. */
  const card = (title: string): Locator => cardOf(owner.page, title);

  test('the clock moves, and the payment is seen as collected without a reload', async () => {
    const { page } = owner;
    const mover = await site.member('developer');
    await mover.open('/');
    await mover.page.getByRole('region', { name: 'Sandbox' }).getByRole('link').click();
    await seeHeading(mover.page, 'Sandbox');
    await mover.page.getByText('31 Jan 2026, 09:00').waitFor();
    await mover.page.getByRole('button', { name: 'To the next collection' }).click();
    const payments = card('Payments');
    await payments.locator('summary').getByText('Collected').waitFor();
    await payments.locator('summary').getByText('31 Jan 2026').click();
    await payments.getByText(/Attempt 1, 31 Jan 2026, 09:0\d/).waitFor();
    await payments.getByRole('link', { name: 'Payment details and evidence' }).waitFor();
    await card('What happened').getByText('A payment fell due').waitFor();
    await card('What happened').getByText('The payment was collected', { exact: true }).waitFor();
    await card('What happened').getByText('collection.success').waitFor();
    await card('Consent').getByText('£49.99 used, £0.00 left').first().waitFor();
    await card('Terms').getByText('28 Feb 2026, 09:00').waitFor();
    assert.ok(await page.evaluate(IS_MARKED), 'the page was reloaded');
    await assertGood(page, 'a schedule that collected');
    await mover.context.close();
  });

  test('the overview shows what was collected in figures, as a chart and as a table', async () => {
    const { page } = owner;
    await goTo(page, 'Overview');
    await seeHeading(page, 'Overview');
    assert.match(await tile(page, 'Collected'), /£49\.99.*1 payment$/);
    assert.match(await tile(page, 'Failed'), /£0\.00.*0 payments$/);
    assert.match(await tile(page, 'Success rate'), /100%/);
    await page.getByRole('img', { name: /Collected, failed and settled, day by day/ }).waitFor();
    await page.getByRole('button', { name: 'Show as table' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Saturday 31 January 2026' });
    assert.match(await textOf(row), /£49\.99/);
    await assertGood(page, 'the overview with a table');
    await page.getByRole('link', { name: '90 days' }).click();
    await page.waitForURL(/\?days=90$/);
    await cardOf(page, 'Week by week').waitFor();
  });

  test('a schedule is paused and resumed, each after a question', async () => {
    const { page } = owner;
    await goTo(page, 'Schedules');
    await page.getByRole('link', { name: /Climbing club/ }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('skipped and not collected later').waitFor();
    await assertGood(page, 'asking before a pause');
    await question.getByRole('button', { name: 'Pause' }).click();
    await badgeOf(page, 'Paused').waitFor();
    await card('Coming collections')
      .getByText(/Once the schedule is resumed/)
      .waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await question.getByRole('button', { name: 'Resume' }).click();
    await badgeOf(page, 'Active').waitFor();
    await card('What happened').getByText('The schedule was resumed').waitFor();
  });

  test('a pause may end automatically, and the page says when', async () => {
    const { page } = owner;
    await page.getByRole('button', { name: 'Pause' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByLabel(/Resume on/).fill('2026-02-02T09:00');
    await question.getByRole('button', { name: 'Pause' }).click();
    await seeText(page, 'Paused until 2 Feb 2026, 09:00. It resumes automatically.');
    await card('What happened')
      .getByText(/paused by the merchant until/i)
      .waitFor();
    await assertGood(page, 'a schedule paused until a day');
    await site.service.advance('2026-02-02T09:00:00Z');
    await badgeOf(page, 'Active').waitFor();
    await card('What happened')
      .getByText(/resumed at the planned time/i)
      .waitFor();
  });

  test('a change that needs nothing says so before it is saved, and holds at once', async () => {
    const { page } = owner;
    await page.getByRole('link', { name: 'Change' }).click();
    await seeHeading(page, 'Edit schedule');
    const brings = page.getByRole('complementary', { name: 'Preview of the change' });
    await brings.getByText('Change a field').waitFor();
    const save = page.getByRole('button', { name: 'Save changes' });
    assert.ok(await save.isDisabled(), 'there is nothing to save');
    assert.ok(await page.getByLabel('Start').isDisabled(), 'the start is fixed by a payment');
    await page.getByLabel('Amount', { exact: true }).fill('39.99');
    await brings.getByText('No new consent needed').waitFor();
    await brings.getByText('£39.99').first().waitFor();
    await save.click();
    await seeHeading(page, 'Climbing club');
    await card('Terms').getByText('£39.99').waitFor();
    await card('Coming collections').getByText('£39.99').first().waitFor();
  });

  test('a raise says that it needs a new consent; until it is given the old terms go on', async () => {
    const { page } = owner;
    // A link is valid for a week: this close to the next collection, it outlasts that.
    await site.service.advance('2026-02-25T12:00:00Z');
    await page.getByRole('link', { name: 'Change' }).click();
    const brings = page.getByRole('complementary', { name: 'Preview of the change' });
    await page.getByLabel('Amount', { exact: true }).fill('59.99');
    await brings.getByText('New customer consent needed').waitFor();
    await brings.getByText(/more than £49\.99, the most for one payment/).waitFor();
    await assertGood(page, 'a change that needs consent');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await seeHeading(page, 'Changes saved');
    await page.getByRole('img', { name: 'QR code of the consent link' }).waitFor();
    const newUrl = await textOf(page.locator('code').first());
    assert.notEqual(newUrl, consentUrl);
    await page.getByRole('link', { name: 'Go to the schedule' }).click();
    await seeText(page, 'A change is awaiting the customer’s consent');
    await seeText(page, 'The next collection is £39.99 on 28 Feb 2026, 09:00.');
    await seeText(page, 'Amount: £59.99 (currently agreed: £49.99)');
    await card('What happened').getByText('The customer was asked for consent').first().waitFor();
    await card('Consent').getByText('New consent requested').waitFor();
    await assertGood(page, 'a schedule with an open change');
    await site.service.advance('2026-02-28T12:00:00Z');
    const collected = card('Payments').getByRole('listitem').filter({ hasText: '28 Feb 2026' });
    await collected.getByText('Collected').first().waitFor();
    assert.match(await textOf(collected.first()), /£39\.99/);
    await agreeAsAlex(customer.page, newUrl);
    await card('Consent').getByText('£59.99 left').first().waitFor();
    await page.getByText('A change is awaiting').waitFor({ state: 'detached' });
    await card('Coming collections').getByText('£59.99').first().waitFor();
  });

  test('to cancel is asked about, says what it does, and cannot be taken back', async () => {
    const { page } = owner;
    await page.getByRole('button', { name: 'Cancel schedule' }).click();
    const question = page.getByRole('alertdialog', { name: /^Cancel collections from / });
    await question.getByText('The customer’s consent is revoked at the bank').waitFor();
    await question.getByText('This cannot be undone.').waitFor();
    await assertGood(page, 'asking before a schedule is cancelled');
    await question.getByRole('button', { name: 'Go back' }).click();
    await gone(question);
    await badgeOf(page, 'Active').waitFor();
    await page.getByRole('button', { name: 'Cancel schedule' }).click();
    await question.getByRole('button', { name: 'Cancel schedule' }).click();
    await badgeOf(page, 'Cancelled').waitFor();
    await card('Coming collections').getByText('No more collections').waitFor();
    await card('What happened').getByText('The schedule was cancelled').first().waitFor();
    assert.equal(await page.getByRole('button', { name: /Pause|Cancel schedule/ }).count(), 0);
    await customer.page.reload();
    await customer.page.getByText('Your permission has ended').first().waitFor();
  });
});

const tile = async (page: Page, name: string): Promise<string> => {
  const term = page.getByRole('term').filter({ hasText: name }).first();
  await term.waitFor();
  return textOf(term.locator('xpath=..'));
};
