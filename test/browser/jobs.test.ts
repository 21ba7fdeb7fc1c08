// Slow: does whole jobs in a browser, each in few acts. Others are in the tests of reconciliation, of many schedules, of another
// account, of decisions of operators, and of the hand-over to a phone.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { grantedSchedule, readSchedule } from '../scenarios/acts.ts';
import { seeHeading, seeText } from './account.ts';
import { operatorOf } from './console-page.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, countActs, gone, press, rowsOf } from './look.ts';

const CUSTOMER = 'Robin Featherstonehaugh-Cholmondeley';

describe('whole jobs', () => {
  let site: Site;
  let finance: Person;
  let page: Page;

  before(async () => {
    site = await startSite();
    const { service } = site;
    const customer = { type: 'phone', value: '+447700900777', name: CUSTOMER };
    for (const description of ['Rowing', 'Locker'])
      await grantedSchedule(service, 'alex', {
        customer,
        description,
        amount: { value: 2500, currency: 'GBP' },
        frequency: { type: 'monthly', day: 6 },
      });
    await service.advance('2026-01-06T12:00:00Z');
    await grantedSchedule(service, 'sid', { description: 'Fencing', max_retries: 0 });
    await grantedSchedule(service, 'nina', { description: 'Archery', max_retries: 0 });
    await service.advance('2026-02-06T20:00:00Z');
    finance = await site.member('finance');
    page = finance.page;
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  /** Asserts that a job took so many acts at most. */
  async function within(most: number, acts: () => Promise<number>): Promise<void> {
    const count = await acts();
    assert.ok(count > 0 && count <= most, `${count} acts, at most ${most}`);
  }

  test('“I was charged twice”: a name as it is heard leads to both payments in three', async () => {
    await finance.open('/');
    const acts = await countActs(page);
    await press(page, 'Search');
    const search = page.getByRole('dialog', { name: 'Search' });
    await search.getByRole('searchbox').fill('feather');
    await search.getByRole('option', { name: new RegExp(`^${CUSTOMER}`) }).click();
    await seeHeading(page, CUSTOMER);
    const paid = rowsOf(page, 'Payments').filter({ hasText: '£25.00' });
    await paid.nth(1).waitFor();
    await within(3, acts);
  });

  test('one of the two is refunded by half in four, the payment’s page included', async () => {
    const acts = await countActs(page);
    await rowsOf(page, 'Payments').getByRole('link').first().click();
    await seeHeading(page, 'Payment of £25.00');
    await press(page, 'Refund');
    const asking = page.getByRole('dialog', { name: `Refund ${CUSTOMER}` });
    await asking.getByLabel('Amount').fill('12.50');
    await press(asking, 'Refund £12.50');
    await gone(asking);
    await rowsOf(page, 'Refunds').getByText('£12.50').waitFor();
    await within(4, acts);
  });

  test('why more collections fail is said on the page that one click opens', async () => {
    await finance.open('/');
    const acts = await countActs(page);
    await page.getByRole('link', { name: 'Reports', exact: true }).click();
    await seeText(page, /^\d+(\.\d)?% of \d+ payments failed at least once/);
    await card(page, 'By reason').waitFor();
    await card(page, 'By bank').waitFor();
    await within(1, acts);
  });

  test('the accountant’s file of settlements is two away', async () => {
    await finance.open('/');
    const acts = await countActs(page);
    const places = page.getByRole('navigation').first();
    await places.getByRole('link', { name: 'Settlements', exact: true }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    const [names] = (await readFile(await (await saved).path(), 'utf8')).split('\r\n');
    assert.match(names ?? '', /statement_reference/);
    await within(2, acts);
  });

  test('webhooks that a shop has lost are sent again in three', async () => {
    const owner = await site.member('owner');
    await owner.open('/webhooks');
    const acts = await countActs(owner.page);
    await rowsOf(owner.page, 'Endpoints').getByRole('link').first().click();
    const replaying = card(owner.page, 'Replay events');
    await replaying.getByLabel('Which events').selectOption('All events, including delivered ones');
    await press(replaying, 'Replay');
    await replaying.getByText(/^[1-9]\d* events? resent/).waitFor();
    await within(3, acts);
  });

  test('a colleague is invited in four', async () => {
    const owner = await site.member('owner');
    await owner.open('/settings/team');
    const acts = await countActs(owner.page);
    await press(owner.page, 'Invite a member');
    const asking = owner.page.getByRole('dialog', { name: 'Invite a member' });
    await asking.getByLabel('Email address').fill('kim@fernhill.example');
    await asking.getByLabel('Role').selectOption('Finance');
    await press(asking, 'Create invitation');
    await owner.page.getByRole('dialog', { name: 'The invitation is ready' }).waitFor();
    await within(4, acts);
  });

  test('a customer stops paying in two, on one screen of a phone', async () => {
    const { id } = await grantedSchedule(site.service, 'alex', { description: 'Pilates' });
    const { body } = await site.service.api<{ portal_url: string }>(
      'GET',
      `/api/v1/schedules/${id}`,
    );
    const { page: own } = await site.stranger({ viewport: { width: 375, height: 812 } });
    await own.goto(body.portal_url);
    const acts = await countActs(own);
    const withdraw = own.getByRole('button', { name: 'Withdraw permission' });
    await withdraw.click();
    await own.getByRole('heading', { name: 'Withdraw your permission?' }).waitFor();
    const box = await withdraw.boundingBox();
    assert.ok(box !== null && box.y + box.height <= 812, 'without scrolling');
    await withdraw.click();
    await own.getByRole('heading', { name: 'Your permission has ended' }).waitFor();
    await within(2, acts);
    assert.equal((await readSchedule(site.service, id)).status, 'cancelled');
  });

  test('an operator stops a bank that is down, and is told how much waits, in five', async () => {
    const robin = await operatorOf(site, 'Robin Fern');
    await robin.open('/');
    const acts = await countActs(robin.page);
    await robin.page.getByRole('link', { name: 'Banks', exact: true }).click();
    await robin.page.getByRole('button', { name: 'Actions for Northbank' }).click();
    await robin.page.getByRole('menuitem', { name: 'Stop…' }).click();
    await robin.decide('down since 08:00', 'Stop');
    await robin.page.getByText('Stopped', { exact: true }).waitFor();
    await within(5, acts);
  });
});
