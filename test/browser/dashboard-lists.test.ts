// Slow: goes through long lists in a browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { readCsv } from '../../server/test-support/csv.ts';
import { grantedSchedule, newSchedule, type ScheduleBody } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { badgeOf, goTo, holdAnswer } from './dashboard-page.ts';
import { card, gone, press } from './look.ts';

const PLAIN = 60;
const PHONE = '+447700900001';
const LIST = /\/dashboard\/api\/v1\/schedules(\?|$)/;
const PULSE = /\/dashboard\/api\/pulse$/;

describe('the lists of schedules and customers', () => {
  let site: Site;
  let owner: Person;
  let climbing: ScheduleBody;

  before(async () => {
    site = await startSite();
    const { service } = site;
    climbing = await grantedSchedule(service, 'alex', {
      description: 'Climbing club',
      customer: { type: 'phone', value: PHONE },
    });
    await newSchedule(service, {
      description: 'Climbing wall, children',
      customer: { type: 'bank_account', sort_code: '203040', account_number: '12345678' },
    });
    for (let n = 1; n <= PLAIN; n += 1) await newSchedule(service, { description: `Member ${n}` });
    await service.advance('2026-02-01T12:00:00Z');
    owner = await site.member('owner');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  const rows = (page: Page) => page.getByRole('table').getByRole('row');
  const search = (page: Page) => page.getByRole('searchbox', { name: 'Search schedules' });

  /** Waits until the list has this many rows, not counting the header. */
  async function seeRows(page: Page, count: number): Promise<void> {
    await rows(page).nth(count).waitFor();
    await rows(page)
      .nth(count + 1)
      .waitFor({ state: 'detached' });
  }

  test('a long list comes page by page, newest first, each schedule once', async () => {
    const { page } = owner;
    await owner.open('/schedules');
    const more = page.getByRole('button', { name: 'Show more' });
    await rows(page).nth(1).getByText(`Member ${PLAIN}`).waitFor();
    const first = await rows(page).count();
    assert.ok(first < PLAIN, `${first} rows at once`);
    await assertGood(page, 'a long list of schedules');
    await more.click();
    await rows(page).nth(first).waitFor();
    for (let press = 0; press < PLAIN && (await more.isVisible()); press += 1) {
      const before = await rows(page).count();
      await more.click();
      await rows(page).nth(before).waitFor();
    }
    await seeRows(page, PLAIN + 2);
    const names = await rows(page).getByRole('link').allTextContents();
    assert.equal(new Set(names).size, PLAIN + 2);
    assert.match(names.at(-1) ?? '', /^Climbing club/);
  });

  test('schedules are found by how they begin, by phone, account and id, and the address keeps it', async () => {
    const { page } = owner;
    await search(page).fill('climbing wa');
    await seeRows(page, 1);
    await rows(page).nth(1).getByText('Climbing wall, children').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('q'), 'climbing wa');
    await search(page).fill('Climbing');
    await seeRows(page, 2);
    await page.reload();
    await seeRows(page, 2);
    assert.equal(await search(page).inputValue(), 'Climbing');
    for (const [text, name] of [
      ['+44 7700 900001', 'Climbing club'],
      ['20-30-40 12345678', 'Climbing wall, children'],
      [climbing.id, 'Climbing club'],
    ] as const) {
      await search(page).fill(text);
      await page.waitForURL((url) => url.searchParams.get('q') === text);
      await seeRows(page, 1);
      await rows(page).nth(1).getByText(name).waitFor();
    }
  });

  test('on paper a list has its rows, and nothing to press or to choose', async () => {
    const { page } = owner;
    const left: Record<string, number> = {};
    for (const path of ['/schedules', '/customers', '/payments']) {
      await owner.open(path);
      await rows(page).nth(1).waitFor();
      await page.emulateMedia({ media: 'print' });
      left[path] = await page.locator('main :is(button, select, input):visible').count();
      await page.emulateMedia({ media: null });
    }
    assert.deepEqual(left, { '/schedules': 0, '/customers': 0, '/payments': 0 });
  });

  test('compact rows are chosen in the menu at one’s name, and kept by the browser', async () => {
    const { page } = owner;
    await owner.open('/schedules');
    const height = async () => (await rows(page).nth(1).boundingBox())?.height ?? 0;
    const before = await height();
    await page.getByRole('button', { name: /your account/ }).click();
    await page.getByRole('menuitem', { name: 'Rows: compact' }).click();
    await page.reload();
    await rows(page).nth(1).waitFor();
    assert.ok((await height()) < 0.85 * before, `${await height()} px of ${before}`);
    await assertGood(page, 'a list of compact rows');
    await page.getByRole('button', { name: /your account/ }).click();
    await page.getByRole('menuitem', { name: 'Rows: comfortable' }).click();
    assert.equal(await height(), before);
  });

  test('a search that finds nothing says how to search, and shows all again', async () => {
    const { page } = owner;
    await search(page).fill('Swimming');
    await seeText(page, 'No schedules match');
    await seeText(page, /words of a description or of metadata/);
    await assertGood(page, 'a search without a result');
    await page.getByRole('button', { name: 'Show all schedules' }).click();
    await rows(page).nth(1).waitFor();
    assert.equal(await search(page).inputValue(), '');
    assert.equal(new URL(page.url()).search, '');
  });

  test('a status narrows the list, and the way back from a schedule leads to it again', async () => {
    const { page } = owner;
    await page.getByLabel('Status').selectOption('Active');
    await seeRows(page, 1);
    assert.equal(new URL(page.url()).searchParams.get('status'), 'active');
    await rows(page).nth(1).getByText('Collected').waitFor();
    await rows(page).nth(1).getByRole('link').click();
    await seeHeading(page, 'Climbing club');
    await badgeOf(page, 'Active').waitFor();
    await page.goBack();
    await seeHeading(page, 'Schedules');
    await seeRows(page, 1);
    await page.getByLabel('Status').selectOption('Paused');
    await seeText(page, 'No schedules match');
  });

  test('a customer is found by phone, and the page shows what they pay and have paid', async () => {
    const { page } = owner;
    await goTo(page, 'Customers');
    await seeHeading(page, 'Customers');
    await page.getByRole('searchbox', { name: 'Search customers' }).fill(PHONE);
    await seeRows(page, 1);
    await rows(page).nth(1).getByRole('link').first().click();
    await seeHeading(page, '+44 7700 900001');
    await card(page, 'Money').getByText('£49.99').waitFor();
    await card(page, 'Money').getByText('1 payment', { exact: true }).waitFor();
    await card(page, 'Schedules').getByText('Every month on the 1st').waitFor();
    await card(page, 'Payments').getByText('Collected').waitFor();
    await page.getByRole('link', { name: 'New schedule' }).click();
    await seeHeading(page, 'New schedule');
    const picker = page.getByRole('combobox', { name: 'Customer', exact: true });
    await page.getByText(climbing.customer.id).waitFor();
    assert.equal(await picker.inputValue(), '+44 7700 900001');
  });

  test('the list follows what happens elsewhere on its own', async () => {
    const { page } = owner;
    await owner.open('/schedules?status=paused');
    await seeText(page, 'No schedules match');
    await site.service.api('PUT', `/api/v1/schedules/${climbing.id}`, { status: 'paused' });
    await seeRows(page, 1);
    await rows(page).nth(1).getByText('Paused').waitFor();
  });

  const list = (): string => `${site.service.baseUrl}/dashboard/schedules`;

  test('what happens after the list was read and before it has come is shown too', async () => {
    const page = await owner.context.newPage();
    const { given, letGo } = await holdAnswer(page, LIST);
    await page.goto(list());
    await given;
    await page.waitForResponse(PULSE);
    await newSchedule(site.service, { description: 'Came meanwhile' });
    // The first may have been sent already; the second reports the change, and the third is sent after that was received.
    for (let pulses = 0; pulses < 3; pulses += 1) await page.waitForResponse(PULSE);
    letGo();
    await rows(page).getByText('Came meanwhile').waitFor();
    await page.close();
  });

  test('what happens before the page asks for the first time whether anything has is shown too', async () => {
    const page = await owner.context.newPage();
    const pulse = Promise.withResolvers<void>();
    await page.route(PULSE, async (route) => {
      await pulse.promise;
      await route.continue();
    });
    await page.goto(list());
    await rows(page).nth(1).waitFor();
    await newSchedule(site.service, { description: 'Came before that' });
    pulse.resolve();
    await rows(page).getByText('Came before that').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.close();
  });

  const MEMBERS = ['1', '10', '11', '12', '13', '14', '15', '16', '17', '18', '19'];
  const chip = (page: Page) => page.getByRole('link', { name: 'Members, last first' });
  const shownChip = (page: Page) => chip(page).and(page.locator('[aria-current=true]'));
  /** The headers of the columns, without that of the boxes that tick rows. */
  const headers = (page: Page) => page.locator('thead th:not(.cell-tick)').allTextContents();

  /** Waits until the list has exactly these members, in this order. */
  async function seeMembers(page: Page, numbers: readonly string[]): Promise<void> {
    await seeRows(page, numbers.length);
    for (const [place, number] of numbers.entries())
      await rows(page)
        .nth(place + 1)
        .getByText(`Member ${number}`, { exact: true })
        .waitFor();
  }

  test('a list is filtered and sorted, its columns are chosen, and the file has the same rows', async () => {
    const { page } = owner;
    await owner.open('/schedules');
    await search(page).fill('member 1');
    await seeRows(page, MEMBERS.length);
    await page.getByLabel('Amount from £').fill('50');
    await page.getByLabel('Amount from £').press('Enter');
    await seeText(page, 'No schedules match');
    await page.getByLabel('Amount from £').fill('49.99');
    await page.getByLabel('Amount from £').press('Enter');
    await page.waitForURL(/amount_from=49\.99/);
    await page.getByLabel('Sort', { exact: true }).selectOption('Description A to Z');
    await seeMembers(page, MEMBERS);
    await page.getByLabel('Sort', { exact: true }).selectOption('Description Z to A');
    await seeMembers(page, MEMBERS.toReversed());
    await press(page, 'Columns');
    const dialog = page.getByRole('dialog', { name: 'Columns' });
    await dialog.getByLabel('Last payment').uncheck();
    await dialog.getByLabel('ID', { exact: true }).check();
    await assertGood(page, 'the choice of columns');
    await press(dialog, 'Done');
    await gone(dialog);
    assert.deepEqual(await headers(page), [
      'Schedule',
      'Amount',
      'Status',
      'Next collection',
      'ID',
    ]);
    await assertGood(page, 'a list with chosen columns');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    const [, ...lines] = readCsv(await readFile(await (await download).path(), 'utf8'));
    const inFile = lines.map((cells) => cells.find((cell) => cell.startsWith('Member ')));
    assert.deepEqual(
      inFile,
      MEMBERS.toReversed().map((number) => `Member ${number}`),
    );
  });

  test('a view is saved for the team, and somebody else opens it in another browser', async () => {
    const { page } = owner;
    await press(page, 'Save view');
    const dialog = page.getByRole('dialog', { name: 'Save this view' });
    await dialog.getByLabel('Name', { exact: true }).fill('Members, last first');
    await press(dialog, 'Save view');
    await gone(dialog);
    await shownChip(page).waitFor();
    await assertGood(page, 'a list with a saved view');
    const finance = await site.member('finance');
    await finance.open('/schedules');
    await chip(finance.page).click();
    await shownChip(finance.page).waitFor();
    await seeMembers(finance.page, MEMBERS.toReversed());
    assert.deepEqual(await headers(finance.page), await headers(page));
    assert.equal(await finance.page.getByLabel('Amount from £').inputValue(), '49.99');
    await press(finance.page, 'Clear filters');
    await rows(finance.page)
      .nth(MEMBERS.length + 1)
      .waitFor();
    await shownChip(finance.page).waitFor({ state: 'detached' });
    await chip(finance.page).waitFor();
    await finance.context.close();
  });

  test('the columns are remembered by the browser, a view is deleted, and a reader only uses views', async () => {
    const { page } = owner;
    const reader = await site.member('read_only');
    await reader.open('/schedules?status=active');
    await chip(reader.page).click();
    await shownChip(reader.page).waitFor();
    await seeMembers(reader.page, MEMBERS.toReversed());
    assert.equal(await reader.page.getByRole('button', { name: /view$/ }).count(), 0);
    await owner.open('/schedules');
    await page.getByRole('columnheader', { name: 'ID' }).waitFor();
    await page.waitForURL(/columns=/);
    await chip(page).click();
    await press(page, 'Delete view');
    const dialog = page.getByRole('alertdialog', { name: 'Delete “Members, last first”?' });
    await press(dialog, 'Delete view');
    await gone(dialog);
    await chip(page).waitFor({ state: 'detached' });
    await seeMembers(page, MEMBERS.toReversed());
    await reader.page.reload();
    await seeMembers(reader.page, MEMBERS.toReversed());
    await chip(reader.page).waitFor({ state: 'detached' });
    await reader.context.close();
  });
});
