// Slow: looks at every empty and broken page in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { createUser } from '../../server/src/merchants/team/users.ts';
import { newMerchant } from '../../server/test-support/service.ts';
import { newSchedule } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText, signInLink } from './account.ts';
import { type Person, type Site, startSite, useSignInLink } from './dashboard.ts';
import { goTo } from './dashboard-page.ts';

const EMAIL = 'new@harbour.example';
/** What an empty page says, and where it leads. */
const EMPTY: readonly [path: string, words: RegExp, next?: readonly [link: RegExp, to: string]][] =
  [
    ['/', /Your first collection in three steps/, [/Create a schedule/, 'New schedule']],
    ['/schedules', /Once the customer gives consent/, [/New schedule/, 'New schedule']],
    ['/customers', /when you create the first schedule/, [/Create a schedule/, 'New schedule']],
    ['/payments', /No payments yet/, [/Create a schedule/, 'New schedule']],
    ['/settlements', /is paid out in one sum on the next/, [/collected payments/, 'Payments']],
    [
      '/webhooks/events',
      /Events appear here as things happen/,
      [/where to send them/, 'Webhook endpoints'],
    ],
    ['/webhooks', /No endpoints yet/],
  ];
const API = /\/dashboard\/(api|sandbox)\//;
const LIST = /\/dashboard\/api\/v1\/schedules(\?|$)/;
const PULSE = /\/dashboard\/api\/pulse$/;
const ME = /\/dashboard\/api\/me$/;
const UNLIMITED = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const refuse = (route: Route): Promise<void> => route.abort('connectionrefused');

describe('pages with nothing to show, and pages without an answer', () => {
  let site: Site;
  let owner: Person;
  let fresh: Person;
  /** A tab of the owner's whose complaints are not collected: the browser reports each failed request. */
  let cut: Page;

  before(async () => {
    site = await startSite();
    await newSchedule(site.service, { description: 'Climbing club' });
    [owner, fresh] = await Promise.all([site.member('owner'), newcomer()]);
    cut = await owner.context.newPage();
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  /** Returns the owner of a merchant with no data yet. */
  async function newcomer(): Promise<Person> {
    const { running } = site.service;
    const { platform } = running;
    const { merchantId } = await newMerchant(running, { name: 'Harbour Rowing' });
    const actor = { merchantId, actorId: 'a test' };
    const user = { email: EMAIL, name: 'New Harbour', role: 'owner' as const };
    await platform.db.transaction((tx) =>
      createUser(platform, { tx, now: platform.clock.now(), ...actor }, user),
    );
    const person = await site.stranger();
    await useSignInLink(person.page, await signInLink(site, EMAIL));
    await seeHeading(person.page, 'Overview');
    return person;
  }

  const address = (path: string): string => `${site.service.baseUrl}/dashboard${path}`;

  test('a new merchant is told on every page what to do next, and led there', async () => {
    const { page } = fresh;
    for (const [path, words, next] of EMPTY) {
      await fresh.open(path);
      await seeText(page, words);
      await assertGood(page, `${path} of a new merchant`);
      if (next === undefined) continue;
      await page.getByRole('main').getByRole('link', { name: next[0] }).last().click();
      await seeHeading(page, next[1]);
    }
    await fresh.open('/webhooks');
    await page.getByRole('button', { name: 'Add an endpoint' }).first().click();
    await page.getByRole('dialog', { name: 'Add an endpoint' }).waitFor();
  });

  test('the first steps follow the merchant to the first collection', async () => {
    const { page } = fresh;
    await fresh.open('/');
    const now = page.getByRole('listitem').and(page.locator('[aria-current=step]'));
    await now.getByRole('heading', { name: 'Create a schedule' }).waitFor();
    await now.getByRole('link', { name: 'Create a schedule' }).click();
    await page.getByLabel('Amount', { exact: true }).fill('12');
    await page.getByLabel('Description').fill('Rowing');
    await page.getByLabel('Phone number').fill('+44 7700 900456');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await seeHeading(page, 'Schedule created');
    await goTo(page, 'Overview');
    await now.getByRole('heading', { name: 'Get the customer’s consent' }).waitFor();
    await now.getByRole('link', { name: 'Open the schedule' }).click();
    await page.getByRole('link', { name: /Rowing/ }).click();
    await page.getByRole('button', { name: 'Play the customer' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Agree' }).click();
    await seeText(page, 'The customer agreed.');
    await goTo(page, 'Overview');
    await now.getByRole('link', { name: 'Open the sandbox' }).click();
    await page.getByRole('button', { name: 'To the next collection' }).click();
    await goTo(page, 'Overview');
    await page.getByRole('term').filter({ hasText: 'Success rate' }).waitFor();
    assert.equal(await page.getByText('in three steps').count(), 0);
  });

  test('a list without an answer says what happened, and Try again brings it', async () => {
    await cut.route(PULSE, refuse); // or the page would try again before the button is pressed
    await cut.route(LIST, refuse);
    await cut.goto(address('/schedules'));
    const alert = cut.getByRole('alert');
    await alert.getByText('The service is not responding').waitFor();
    await alert.getByText('Check your connection, then try again.').waitFor();
    await assertGood(cut, 'a list without an answer');
    await cut.unroute(LIST);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await cut.getByRole('link', { name: /Climbing club/ }).waitFor();
    await cut.unroute(PULSE);
  });

  test('a service that fails is not the reader’s fault, and the page says so', async () => {
    await cut.route(LIST, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
    await cut.goto(address('/schedules'));
    const alert = cut.getByRole('alert');
    await alert.getByText('The service is unavailable').waitFor();
    await cut.unroute(LIST);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await cut.getByRole('link', { name: /Climbing club/ }).waitFor();
  });

  test('what is shown stays while the network is away, and a form keeps what was typed', async () => {
    await cut.route(API, refuse);
    await goTo(cut, 'Overview');
    await cut.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    await goTo(cut, 'Schedules');
    await cut.getByRole('link', { name: /Climbing club/ }).waitFor();
    await cut.getByRole('link', { name: 'New schedule' }).click();
    await cut.getByLabel('Amount', { exact: true }).fill('10.00');
    await cut.getByLabel('Description').fill('Kept');
    await cut.getByLabel('Phone number').fill('+44 7700 900124');
    await cut.getByRole('button', { name: 'Create schedule' }).click();
    await cut.getByText('The service is not responding').waitFor();
    await assertGood(cut, 'a form that could not be sent');
    await cut.unroute(API);
    await cut.getByRole('button', { name: 'Create schedule' }).click();
    await seeHeading(cut, 'Schedule created');
    await cut.getByRole('heading', { level: 2, name: 'Kept' }).waitFor();
  });

  test('where the dashboard itself gets no answer it says so, and Try again opens it', async () => {
    await cut.route(API, refuse);
    await cut.goto(address('/customers'));
    await seeHeading(cut, 'The dashboard could not be loaded');
    await assertGood(cut, 'a dashboard without an answer');
    await cut.unroute(API);
    await cut.getByRole('button', { name: 'Try again' }).click();
    await seeHeading(cut, 'Customers');
  });

  test('who is refused is asked about again at each refusal, until it is known why', async () => {
    let asked = 0;
    const error = { code: 'forbidden', message: 'You are not on the team.' };
    const forbid = (route: Route): Promise<void> => route.fulfill({ status: 403, json: { error } });
    await cut.route(PULSE, forbid);
    await cut.route(ME, (route) => {
      asked += 1;
      return asked < 3 ? route.continue() : forbid(route);
    });
    await seeHeading(cut, 'You are not on this merchant’s team');
    assert.equal(await cut.title(), 'You are not on this merchant’s team · Recollect');
    assert.ok(asked >= 3, `asked ${asked} times`);
    await cut.unroute(PULSE);
    await cut.unroute(ME);
    await cut.reload();
    await seeHeading(cut, 'Customers');
  });

  test('a page whose code does not come is loaded again, and says so where that does not help', async () => {
    const code = /\/assets\/payments-page[^/]*\.js/;
    await cut.route(code, refuse, { times: 1 });
    await goTo(cut, 'Payments');
    await seeHeading(cut, 'Payments');
    const other = /\/assets\/settlements-page[^/]*\.js/;
    await cut.route(other, refuse);
    await goTo(cut, 'Settlements');
    await seeHeading(cut, 'This page could not be loaded');
    assert.equal(await cut.title(), 'This page could not be loaded · Recollect');
    await assertGood(cut, 'a page without its code');
    await cut.unroute(other);
    await cut.getByRole('button', { name: 'Reload' }).click();
    await seeHeading(cut, 'Settlements');
  });

  test('a page opened without a connection appears on its own once there is one', async () => {
    await cut.evaluate('sessionStorage.clear()');
    const network = await owner.context.newCDPSession(cut);
    const setOffline = (offline: boolean) =>
      network.send('Network.emulateNetworkConditions', { offline, ...UNLIMITED });
    await setOffline(true);
    await goTo(cut, 'Webhooks');
    await seeHeading(cut, 'You are offline');
    await setOffline(false);
    await seeHeading(cut, 'Webhook endpoints');
  });
});
