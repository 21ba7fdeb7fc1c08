// Slow: goes through every control of the sandbox in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../server/test-support/until.ts';
import { newSchedule, paymentsOf, readSchedule } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, gone, press, rowsOf } from './look.ts';

/** From the second day of the service on. */
const WEEKLY = { frequency: 'weekly', start_date: '2026-01-06T09:00:00Z' };

describe('the sandbox’s panel', () => {
  let site: Site;
  let owner: Person;
  let page: Page;
  /** The schedule that is collected here. */
  let gym: string;

  before(async () => {
    site = await startSite();
    owner = await site.member('owner');
    page = owner.page;
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  const clock = (): Locator => card(page, 'The clock');
  const happened = (): Locator => card(page, 'What happened');

  /** Presses the button that moves the clock, and waits until the progress display ends. */
  async function move(where: Locator, name: string): Promise<void> {
    const moving = page.getByRole('progressbar', { name: 'The clock is moving' });
    await page.route(
      '**/sandbox/clock/advance',
      async (route) => {
        await moving.waitFor();
        await route.continue();
      },
      { times: 1 },
    );
    await press(where, name);
    await moving.waitFor();
    await gone(moving);
  }

  /** Asserts from when to when the last move went, in the page's dates. */
  async function seeMoved(from: string, to: string): Promise<void> {
    await happened()
      .getByText(`From ${from}`)
      .and(happened().getByText(`to ${to}`))
      .waitFor();
  }

  /** Decides for the customer, on the panel. */
  async function decide(
    scheduleId: string,
    decision: 'Agrees' | 'Declines',
    customer = 'alex (Alex Morgan)',
  ): Promise<void> {
    const playing = card(page, 'Play the customer');
    await playing.getByLabel('Schedule').selectOption({ value: scheduleId });
    await playing.getByLabel('Customer at the bank').selectOption(customer);
    await playing.getByLabel('Customer’s decision').selectOption(decision);
    await press(playing, 'Submit the decision');
  }

  test('a customer is played who declines, and one who agrees', async () => {
    const { service } = site;
    await owner.open('/sandbox');
    await seeText(page, 'No consents awaiting a customer');
    await clock()
      .getByText('No collections are due: a customer has to give consent first.')
      .waitFor();
    const unwanted = (await newSchedule(service, { description: 'Sauna' })).id;
    gym = (await newSchedule(service, { ...WEEKLY, description: 'Gym' })).id;
    await page.getByLabel('Schedule').waitFor();
    await page.getByRole('option', { name: /^Gym, / }).waitFor({ state: 'attached' });
    await decide(unwanted, 'Declines');
    await seeText(page, 'Consent denied, schedule cancelled');
    await page.getByRole('option', { name: /^Sauna, / }).waitFor({ state: 'detached' });
    await decide(gym, 'Agrees');
    await seeText(page, 'Consent granted, schedule active');
    assert.equal((await readSchedule(service, unwanted)).status, 'cancelled');
    assert.equal((await readSchedule(service, gym)).status, 'active');
  });

  test('the clock moves by a day, by a week and to the next collection, and tells what happened', async () => {
    const { service } = site;
    await move(clock(), 'To the next collection');
    await happened().getByText('1 payment collected').waitFor();
    assert.equal((await paymentsOf(service, gym)).length, 1);
    const before = service.now();
    await move(clock(), 'A day');
    await seeMoved('6 Jan 2026', '7 Jan 2026');
    await happened().getByText('1 settlement paid out').waitFor();
    await move(clock(), 'A week');
    await seeMoved('7 Jan 2026', '14 Jan 2026');
    await happened().getByText('1 payment collected').waitFor();
    await assertGood(page, 'what happened');
    const days = service.now().since(before).total('days');
    assert.ok(days > 8 && days < 8.1, `${days} days`);
    await clock().getByText('14 January 2026').waitFor();
    await happened().getByRole('link', { name: 'Payment collected' }).click();
    await seeHeading(page, 'Payment of £49.99');
    await page.goBack();
    await seeMoved('7 Jan 2026', '14 Jan 2026');
    await happened()
      .getByRole('button', { name: /^Every step/ })
      .click();
    await happened().getByRole('link', { name: 'Event collection.success' }).waitFor();
  });

  test('the clock moves to a date, and never back', async () => {
    const date = clock().getByLabel('To a date');
    await date.fill('2026-01-12T09:00');
    await press(clock(), 'Go there');
    await clock().getByRole('alert').waitFor();
    await assertGood(page, 'a move that was refused');
    await date.fill('2026-01-17T09:00');
    await move(clock(), 'Go there');
    await seeMoved('14 Jan 2026', '17 Jan 2026, 09:00');
    assert.equal(await clock().getByRole('alert').count(), 0);
    assert.equal(site.service.now().toZonedDateTimeISO('Europe/London').day, 17);
  });

  test('an account’s balance and what it does are changed, and the next payment goes by that', async () => {
    await press(page, 'Change alex’s current account');
    const changing = page.getByRole('dialog', { name: /^Alex Morgan at / });
    await changing.getByLabel('Balance').fill('12.345');
    await changing.getByLabel('Behaviour').selectOption('Account is closed');
    await press(changing, 'Save account');
    await changing
      .getByRole('textbox', { name: 'Balance' })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor();
    await assertGood(page, 'changing an account');
    await changing.getByLabel('Balance').fill('1234.50');
    await press(changing, 'Save account');
    await gone(changing);
    const row = rowsOf(page, 'Accounts at Northbank')
      .filter({ hasText: 'Current account' })
      .first();
    await row.getByText('£1,234.50').waitFor();
    await row.getByText(/^Account is closed/).waitFor();
    await move(clock(), 'To the next collection');
    await happened().getByText('1 payment failed').waitFor();
    await happened().getByRole('link', { name: 'Payment failed' }).click();
    await card(page, 'Progress').getByText('Failed', { exact: true }).waitFor();
  });

  test('a whole bank is changed, and says what it does', async () => {
    await owner.open('/sandbox');
    await press(page, 'Tollgate Bank');
    await seeText(page, 'For every account here: Gateway returns bare errors.');
    await press(page, 'Northbank');
    await press(page, 'Edit bank');
    const changing = page.getByRole('dialog', { name: 'How Northbank behaves' });
    await changing.getByLabel('Never reports ACCC').check();
    await assertGood(page, 'changing a bank');
    await press(changing, 'Save bank');
    await gone(changing);
    await seeText(page, 'For every account here: Never reports ACCC.');
  });

  test('a reset asks for the word, empties everything, and the dashboard goes on', async () => {
    const { service } = site;
    await owner.open('/sandbox');
    await press(page, 'Reset the sandbox');
    const asking = page.getByRole('alertdialog', { name: 'Reset the sandbox?' });
    await asking.getByLabel('Type “reset” to continue').fill('yes');
    await press(asking, 'Reset everything');
    await asking.getByText('Type “reset”.', { exact: true }).waitFor();
    await assertGood(page, 'resetting the sandbox');
    assert.equal((await readSchedule(service, gym)).id, gym, 'nothing is gone yet');
    await asking.getByLabel('Type “reset” to continue').fill('reset');
    await press(asking, 'Reset everything');
    await seeHeading(page, 'Overview');
    await assertGood(page, 'the overview after a reset');
    for (const [path, words] of EMPTY) {
      await owner.open(path);
      await seeText(page, words);
    }
    const { body } = await service.api<{ total: number }>('GET', '/api/v1/schedules');
    assert.equal(body.total, 0);
    const again = await newSchedule(service, { description: 'After the reset' });
    await owner.open('/sandbox');
    await decide(again.id, 'Agrees');
    await seeText(page, 'Consent granted, schedule active');
    await move(clock(), 'To the next collection');
    await happened().getByText('1 payment collected').waitFor();
  });

  test('a customer whom the bank asks to confirm again is played too', async () => {
    const { service } = site;
    const { id } = await newSchedule(service, { description: 'Choir' });
    await service.grant(id, 'rita');
    await owner.open('/sandbox');
    await move(clock(), 'To the next collection');
    const option = page.getByRole('option', { name: /^Choir .*to confirm again$/ });
    await option.waitFor({ state: 'attached' });
    const playing = card(page, 'Play the customer');
    await playing.getByLabel('Schedule').selectOption({ value: id });
    const customer = playing.getByLabel('Customer at the bank');
    await until('who granted it is selected', async () => (await customer.inputValue()) === 'rita');
    await press(playing, 'Submit the decision');
    await seeText(page, 'Consent granted, schedule active');
    await option.waitFor({ state: 'detached' });
  });
});

const EMPTY: readonly [path: string, words: string][] = [
  ['/schedules', 'No schedules yet'],
  ['/payments', 'No payments yet'],
  ['/settlements', 'No settlements yet'],
  ['/webhooks/events', 'No events yet'],
];
