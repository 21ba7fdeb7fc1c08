// Slow: looks at every page of the dashboard in a browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { grantedSchedule, newSchedule, paymentOf } from '../scenarios/acts.ts';
import { assertGood, passwordLink, seeHeading, textOf } from './account.ts';
import { assertAccessible } from './axe.ts';
import { type Person, type Site, startSite } from './dashboard.ts';

const ROUTER = new URL('../../dashboard/src/app/router.tsx', import.meta.url);
const PHONE = { width: 360, height: 740 };
/** Pages with a list, and the page of one item in it. */
const LISTS = [
  ['/schedules/changes', '/schedules/changes/:id'],
  ['/customers', '/customers/:id'],
  ['/disputes', '/disputes/:id'],
  ['/settlements', '/settlements/:id'],
  ['/webhooks', '/webhooks/endpoints/:id'],
  ['/webhooks/events', '/webhooks/events/:id'],
  ['/developers/requests', '/developers/requests/:id'],
] as const;
const PLAIN = [
  '/',
  '/attention',
  '/schedules',
  '/schedules/new',
  '/schedules/import',
  '/payments',
  '/refunds',
  '/settlements/match',
  '/reports',
  '/reports/arrears',
  '/reports/cohorts',
  '/reports/calendar',
  '/reports/statement',
  '/reports/accounting',
  '/agents',
  '/developers',
  '/developers/quickstart',
  '/sandbox',
  '/settings',
  '/settings/team',
  '/settings/emails',
  '/settings/security',
  '/settings/activity',
] as const;
const SECRET_PATH = /token=[^&#]+|#.*$/g;

/** Every page, for a merchant with successful, failed and waiting collections. */
describe('every page of the dashboard', () => {
  let site: Site;
  let owner: Person;
  /** The router's paths visited so far, with their titles. */
  const titles = new Map<string, string>();

  before(async () => {
    site = await startSite();
    const { service } = site;
    const paid = await grantedSchedule(service, 'alex', {
      description: 'Climbing club',
      metadata: { plan: 'gold' },
    });
    const amount = { value: 100_000_000, currency: 'GBP' };
    await grantedSchedule(service, 'nina', {
      description: 'No money there',
      max_retries: 0,
      amount,
    });
    await newSchedule(service, { description: 'Waits for an answer' });
    service.receiver.always = 500;
    await service.advance('2026-02-04T12:00:00Z');
    const payment = await paymentOf(service, paid.id);
    assert.equal(payment.status, 'success');
    const dispute = { reason: 'duplicate', note: 'We paid in cash' };
    await service.api('POST', `/api/v1/payments/${payment.id}/disputes`, dispute);
    const change = { filter: {}, change: { status: 'paused' }, preview: true };
    await service.api('POST', '/api/v1/schedule_changes', change);
    owner = await site.member('owner');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  /** Opens a page and finds no fault with it. `path` is the router's. */
  async function look(person: Person, path: string, address: string): Promise<void> {
    const { page } = person;
    const response = await page.goto(new URL(address, site.service.baseUrl).href);
    assertStrict(response?.headers()['content-security-policy'] ?? '', path);
    await settled(page);
    const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    assert.equal(await retry.count(), 0, `${path} shows an error`);
    assert.equal(await page.locator('h1').count(), 1, `${path} has one h1`);
    const title = await page.title();
    const heading = (await textOf(page.locator('h1'))).trim();
    assert.equal(title, `${heading} · Recollect`, `${path} is called what it shows`);
    assert.deepEqual(
      [...titles].filter(([, other]) => other === title),
      [],
      `the title of ${path} is its own`,
    );
    titles.set(path, title);
    await assertGood(page, path.replace(SECRET_PATH, ''));
  }

  const below = (path: string): string => `/dashboard${path}`;

  test('pages without an object are accessible, fit a phone, and have a title of their own', async () => {
    for (const path of PLAIN) await look(owner, path, below(path));
  });

  test('lists and the pages of what is in them are accessible, and fit a phone', async () => {
    for (const [list, one] of LISTS) {
      await look(owner, list, below(list));
      const link = owner.page.getByRole('main').getByRole('table').getByRole('link').first();
      const href = await link.getAttribute('href');
      assert.ok(href !== null, `${list} has something in it`);
      await look(owner, one, href);
    }
  });

  test('schedules and payments in every state are accessible, and fit a phone', async () => {
    const { page } = owner;
    for (const name of ['Waits for an answer', 'No money there', 'Climbing club']) {
      titles.delete('/schedules/:id');
      await owner.open('/schedules');
      const href = await page.getByRole('link', { name: new RegExp(name) }).getAttribute('href');
      await look(owner, '/schedules/:id', href ?? '');
    }
    await page.getByRole('link', { name: 'Change', exact: true }).click();
    await seeHeading(page, 'Edit schedule');
    await look(owner, '/schedules/:id/change', page.url());
    for (const status of ['failed', 'success']) {
      titles.delete('/payments/:id');
      await owner.open(`/payments?status=${status}`);
      const href = await page.getByRole('table').getByRole('link').first().getAttribute('href');
      await look(owner, '/payments/:id', href ?? '');
    }
  });

  test('the doors are accessible, and fit a phone', async () => {
    const stranger = await site.stranger();
    await look(stranger, '/sign-in', below('/sign-in'));
    await look(stranger, '/join', below('/join'));
    await look(stranger, '/single-sign-on', below('/single-sign-on'));
    await look(stranger, '/forgotten-password', below('/forgotten-password'));
    await look(stranger, '/new-password', await passwordLink(site, owner.email));
    await stranger.context.close();
  });

  test('a page that does not exist says so', async () => {
    await owner.open('/nowhere/at/all');
    await seeHeading(owner.page, 'Page not found');
    assert.equal(await owner.page.title(), 'Page not found · Recollect');
    await assertGood(owner.page, 'an address without a page');
    await owner.page.getByRole('main').getByRole('link').first().click();
    await seeHeading(owner.page, 'Overview');
  });

  test('no page of the router was left out', async () => {
    const text = await readFile(ROUTER, 'utf8');
    const paths = [...text.matchAll(/\bpage\(\s*'([^']+)'/g)].map(([, path]) => path);
    assert.ok(paths.length > 20, 'the paths were found');
    assert.deepEqual([...titles.keys()].sort(), paths.sort());
  });

  test('tables that became cards on a phone are still accessible', async () => {
    const { page } = await site.member('finance', { viewport: PHONE });
    for (const path of ['/', '/schedules', '/payments', '/webhooks/events']) {
      await page.goto(`${site.service.baseUrl}/dashboard${path}`);
      await settled(page);
      await assertAccessible(page, `${path} on a phone`);
    }
    await page.goto(`${site.service.baseUrl}/dashboard/payments`);
    const dueFrom = page.getByLabel('Due from');
    const more = page.getByRole('button', { name: 'Dates and amounts' });
    await more.waitFor();
    assert.equal(await dueFrom.isVisible(), false, 'the list begins on the first screen');
    await more.click();
    await dueFrom.waitFor();
    await assertAccessible(page, 'all filters on a phone');
    await page.context().close();
  });

  test('the keyboard skips the navigation', async () => {
    const { page } = owner;
    await owner.open('/schedules');
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Skip to content');
    await page.keyboard.press('Enter');
    await page.locator('main:focus').waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Download CSV');
  });

  test('on a phone the menu opens and closes by the keyboard, and leads on', async () => {
    const person = await site.member('owner', { viewport: PHONE });
    const { page } = person;
    await person.open('/schedules');
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await tabTo(page, 'Menu');
    await page.keyboard.press('Enter');
    await drawer.waitFor();
    await assertAccessible(page, 'the menu of a phone');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await menu.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await drawer.waitFor();
    await tabTo(page, 'Customers');
    await page.keyboard.press('Enter');
    await page.locator('h1:focus').filter({ hasText: 'Customers' }).waitFor();
    await drawer.waitFor({ state: 'detached' });
    await person.context.close();
  });

  test('a dialog keeps the focus, and gives it back', async () => {
    const { page } = owner;
    await owner.open('/schedules');
    await page.getByRole('link', { name: /Climbing club/ }).click();
    const pause = page.getByRole('button', { name: 'Pause', exact: true });
    await pause.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog');
    await dialog.locator(':focus').waitFor();
    for (let key = 0; key < 8; key += 1) {
      await page.keyboard.press(key % 3 === 2 ? 'Shift+Tab' : 'Tab');
      assert.ok(await dialog.locator(':focus').isVisible(), 'the focus left the dialog');
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await pause.and(page.locator(':focus')).waitFor();
  });
});

/** Waits until the page has its heading and has finished loading. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const loading = page.getByRole('status').filter({ hasText: 'Loading' });
  await loading.first().waitFor({ state: 'detached' });
}

/** Asserts that the policy allows scripts, styles and requests only from the service itself. */
function assertStrict(policy: string, path: string): void {
  assert.match(policy, /default-src 'none'/, path);
  assert.match(policy, /script-src 'self'(;|$)/, path);
  assert.match(policy, /frame-ancestors 'none'/, path);
  assert.doesNotMatch(policy, /unsafe-|\*|https?:/, path);
}

/** Run in a page: the name of the focused element. */
const FOCUSED = `(() => {
  const { activeElement: it } = document;
  return (it.getAttribute('aria-label') ?? it.textContent).trim();
})()`;
const MAX_KEYS = 40;

const focused = (page: Page): Promise<string> => page.evaluate<string>(FOCUSED);

/** Presses Tab until the element of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let key = 0; key < MAX_KEYS; key += 1) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === name) return;
  }
  assert.fail(`the keyboard does not reach ${name}`);
}
