import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { assertGood, seeHeading, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { agreeAsAlex, badgeOf, namesProblem } from './dashboard-page.ts';
import { card as cardOf } from './look.ts';

// Slow: the way from the form to the money.
/** A joining fee, from the form to the money. Each test continues the one before. The sandbox begins on 5 January 2026. */
describe('a first payment in the dashboard and on the portal', () => {
  let site: Site;
  let owner: Person;
  let customer: Person;
  let consentUrl: string;

  before(async () => {
    site = await startSite();
    owner = await site.member('owner');
    customer = await site.stranger();
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('the form takes a first payment, and refuses a limit that leaves no room for it', async () => {
    const { page } = owner;
    await owner.open('/schedules/new');
    await seeHeading(page, 'New schedule');
    await page.getByLabel('Amount', { exact: true }).fill('12.50');
    await page.getByRole('textbox', { name: /^First payment/ }).fill('29.00');
    await page.getByLabel('What it is for').fill('Joining fee');
    await page.getByLabel('Description', { exact: true }).fill('Gym');
    await page.getByLabel('Day of the month').selectOption('The 15th');
    await page.getByLabel('Phone number').fill('07700 900123');
    await page.getByLabel('Most per payment').fill('20.00');
    await namesProblem(
      page.getByLabel('Most per payment'),
      /£29\.00: the first payment takes as much/,
    );
    await page.getByLabel('Most per payment').fill('');
    await assertGood(page, 'a form with a first payment');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await seeHeading(page, 'Schedule created');
    const { body } = await site.service.api<{ data: { consent_url: string }[] }>(
      'GET',
      '/api/v1/schedules',
    );
    consentUrl = body.data[0]?.consent_url ?? '';
  });

  test('the customer reads both parts, agrees once, and the fee is collected at once', async () => {
    const { page } = customer;
    await page.goto(consentUrl);
    await seeText(page, '£29.00 today, then');
    await seeText(page, '£12.50 every month on the 15th');
    await seeText(page, 'Up to £41.50 per month, counted from 5 January 2026.');
    await page.getByText('Joining fee').first().waitFor();
    await assertGood(page, 'a request with a first payment');
    await agreeAsAlex(page, consentUrl);
    await seeText(page, '£29.00 is collected now, once.');
    await owner.page.getByRole('link', { name: 'Go to the schedule' }).click();
    await badgeOf(owner.page, 'Active').waitFor();
    await site.service.advance('2026-01-05T12:00:00Z');
    await owner.page.reload();
    await seeHeading(owner.page, 'Gym');
    const payments = cardOf(owner.page, 'Payments');
    await payments.getByText('Joining fee').waitFor();
    await payments.getByText('£29.00').first().waitFor();
    await cardOf(owner.page, 'Terms').getByText('£29.00 on their consent (Joining fee)').waitFor();
    await assertGood(owner.page, 'a schedule with a first payment');
    assert.equal(await payments.getByText('£12.50').count(), 0, 'the first month is to come');
    await page.goto(consentUrl);
    await page.getByText('Joining fee').waitFor();
    await assertGood(page, 'an agreement with a first payment');
  });
});
