import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { assertGood, seeHeading, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { agreeAsAlex, badgeOf, goTo, namesProblem } from './dashboard-page.ts';
import { card as cardOf, copied, gone } from './look.ts';

/** Run in the page: a mark that a reload would remove. */
const MARK = 'globalThis.wasNotReloaded = true';
const IS_MARKED = 'globalThis.wasNotReloaded === true';

const PREVIEW = /\/api\/schedules\/preview$/;

/** One schedule from the form to the customer's yes; each test continues the one before. The sandbox begins on 5 January 2026. */
describe('a new schedule in the dashboard', () => {
  let site: Site;
  let owner: Person;
  let customer: Person;
  let consentUrl: string;

  before(async () => {
    site = await startSite();
    owner = await site.member('owner', { permissions: ['clipboard-read', 'clipboard-write'] });
    customer = await site.stranger();
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  /** Returns the part of the merchant's page with this heading. */
  const card = (title: string): Locator => cardOf(owner.page, title);

  test('the form shows the coming dates as one types, and says why one moved', async () => {
    const { page } = owner;
    await owner.open('/schedules');
    await page.getByRole('link', { name: 'New schedule' }).first().click();
    await seeHeading(page, 'New schedule');
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await preview.getByText('Every month on the 1st').waitFor();
    await preview.getByText('1 Feb 2026, 09:00').waitFor();
    assert.equal(await preview.getByText('£').count(), 0, 'no amount is known yet');
    await preview.getByText('On their bank statement: FERNHILL and a code').waitFor();

    await page.getByLabel('Amount', { exact: true }).fill('49.99');
    await preview.getByText('£49.99').first().waitFor();
    await page.getByLabel('Day of the month').selectOption('The 31st');
    const moved = preview.getByRole('listitem').filter({ hasText: '28 Feb 2026, 09:00' });
    await moved.getByText('February has 28 days, so we collect on the 28th').waitFor();
    await page.getByLabel('Frequency').selectOption('Weekly');
    await page.getByLabel('Day of the week').selectOption('Friday');
    await page.getByLabel('Interval').fill('2');
    await preview.getByText('Every second week on Friday').waitFor();
    await preview.getByText('23 Jan 2026, 09:00').waitFor();
    await page.getByLabel('Day of the week').selectOption('Saturday');
    const policy = page.getByLabel('On weekends and bank holidays');
    await policy.selectOption('Collect on the next working day');
    await preview.getByText('Saturday 10 January is not a working day').waitFor();
    await preview.getByText('12 Jan 2026, 09:00').waitFor();
    await policy.selectOption('Collect on that day');
    await page.getByLabel('Day of the week').selectOption('Friday');
    await preview.getByText('23 Jan 2026, 09:00').waitFor();
  });

  test('while new dates are on their way the old ones can still be read', async () => {
    const { page } = owner;
    const preview = page.getByRole('complementary', { name: 'Preview' });
    const answer = await holdPreviews(page);
    await page.getByLabel('Interval').fill('3');
    await preview.locator('[aria-busy=true]').getByText('23 Jan 2026').waitFor();
    await assertGood(page, 'a form whose dates are on their way');
    await preview.locator('[aria-busy=true]').waitFor();
    await answer();
    await preview.getByText('Every third week on Friday').waitFor();
    await preview.locator('[aria-busy=false]').waitFor();
  });

  test('wrong input is named at its field, and nothing is created', async () => {
    const { page } = owner;
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await page.getByLabel('Interval').fill('0');
    await namesProblem(page.getByLabel('Interval'), /Must be a whole number from 1 to/);
    await preview.getByText('Correct the highlighted fields to see the dates.').waitFor();
    await page.getByLabel('Amount', { exact: true }).fill('much');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await namesProblem(
      page.getByLabel('Amount', { exact: true }),
      /Enter pounds and pence, for example 49\.99/,
    );
    await namesProblem(page.getByLabel('Description'), /is required/);
    await assertGood(page, 'a form with wrong fields');
    const answer = await holdPreviews(page);
    await page.getByLabel('Interval').fill('1');
    await page.getByLabel('Frequency').selectOption('Monthly');
    await page.getByLabel('Day of the month').selectOption('The 31st');
    await page.getByLabel('Amount', { exact: true }).fill('49.99');
    await page.getByLabel('Description').fill('Climbing club');
    await page.getByLabel('Phone number').fill('0123');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await namesProblem(page.getByLabel('Phone number'), /Is not a possible phone number/);
    assert.ok(await isFocused(page.getByLabel('Phone number')));
    const isWrong = await page.getByLabel('Interval').getAttribute('aria-invalid');
    assert.equal(isWrong, null, 'what was wrong a moment ago is not marked again');
    await answer();
    await preview.getByText('28 Feb 2026, 09:00').waitFor();
    const { body } = await site.service.api('GET', '/api/v1/schedules');
    assert.equal(body.total, 0);
  });

  test('leaving a half-filled form is asked about first, and nothing typed is lost by staying', async () => {
    const { page } = owner;
    await goTo(page, 'Customers');
    const asking = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await assertGood(page, 'leaving a form');
    await asking.getByRole('button', { name: 'Keep editing' }).click();
    await gone(asking);
    await seeHeading(page, 'New schedule');
    assert.equal(await page.getByLabel('Amount', { exact: true }).inputValue(), '49.99');
    assert.equal(await page.getByLabel('Description').inputValue(), 'Climbing club');
    const other = await owner.context.newPage();
    await other.goto(page.url());
    await other.getByLabel('Description').fill('Thrown away');
    await goTo(other, 'Payments');
    await other.getByRole('button', { name: 'Leave' }).click();
    await seeHeading(other, 'Payments');
    await other.close();
  });

  test('an amount that no bank transfer carries is refused in pounds, before it is sent too', async () => {
    const { page } = owner;
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await page.getByLabel('Amount', { exact: true }).fill('1000000.01');
    await preview.getByText('Correct the highlighted fields to see the dates.').waitFor();
    await namesProblem(page.getByLabel('Amount', { exact: true }), /£1,000,000\.00( or less)?\.$/);
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await namesProblem(
      page.getByLabel('Amount', { exact: true }),
      /^Enter £1,000,000\.00 or less\.$/,
    );
    await page.getByLabel('Amount', { exact: true }).fill('49.99');
  });

  test('a created schedule has a consent link to open, copy and scan', async () => {
    const { page } = owner;
    await page.getByLabel('Phone number').fill('07700 900123');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await seeHeading(page, 'Schedule created');
    await page.getByRole('img', { name: 'QR code of the consent link' }).waitFor();
    await seeText(page, 'Waiting for consent');
    await assertGood(page, 'a created schedule');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await seeText(page, 'Copied.');
    consentUrl = await copied(page);
    const link = page.getByRole('link', { name: 'Open' }).and(page.locator('[target=_blank]'));
    assert.equal(await link.getAttribute('href'), consentUrl);
    assert.ok(consentUrl.startsWith(`${site.service.baseUrl}/`), consentUrl);
  });

  test('the customer agrees in another browser, and the open page turns active automatically', async () => {
    const { page } = owner;
    await page.getByRole('link', { name: 'Go to the schedule' }).click();
    await seeHeading(page, 'Climbing club');
    await card('Consent').getByText('Waiting for the customer').waitFor();
    await card('Payments')
      .getByText('Collections start once the customer has given consent.')
      .waitFor();
    await page.evaluate(MARK);
    await agreeAsAlex(customer.page, consentUrl);
    await badgeOf(page, 'Active').waitFor();
    await card('Consent').getByText('£0.00 used, £49.99 planned, £49.99 left').first().waitFor();
    await card('Consent').getByText('Northbank').waitFor();
    await card('What happened').getByText('The customer approved at their bank').waitFor();
    await card('What happened').getByText('The schedule became active').waitFor();
    assert.ok(await page.evaluate(IS_MARKED), 'the page was reloaded');
  });
});

const isFocused = (field: Locator): Promise<boolean> =>
  field.and(field.page().locator(':focus')).isVisible();

/** Holds back the responses to previews; returns a function that releases them. */
async function holdPreviews(page: Page): Promise<() => Promise<void>> {
  const answer = Promise.withResolvers<void>();
  await page.route(PREVIEW, async (route) => {
    await answer.promise;
    await route.continue();
  });
  return async () => {
    answer.resolve();
    await page.unrouteAll({ behavior: 'wait' });
  };
}
