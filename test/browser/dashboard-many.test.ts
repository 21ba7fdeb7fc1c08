// Slow: changes many schedules in a browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { readCsv } from '../../server/test-support/csv.ts';
import { grantedSchedule, newSchedule, type ScheduleBody } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { badgeOf } from './dashboard-page.ts';
import { card, countActs, gone, press, rowsOf } from './look.ts';

const MATCHING = 120;
const STEPS = 5;
const ROOM = { value: 10_000, currency: 'GBP' };

describe('changing many schedules', () => {
  let site: Site;
  let owner: Person;
  let page: Page;
  let roomy: ScheduleBody;
  let tight: ScheduleBody;

  before(async () => {
    site = await startSite();
    const { service } = site;
    const fibre = { description: 'Fibre 100' };
    const limits = { per_payment: ROOM, per_period: ROOM };
    roomy = await grantedSchedule(service, 'alex', { ...fibre, limits });
    tight = await grantedSchedule(service, 'alex', fibre);
    const over = await newSchedule(service, fibre);
    await service.api('PUT', `/api/v1/schedules/${over.id}`, { status: 'cancelled' });
    for (let n = 3; n < MATCHING; n += 1) await newSchedule(service, fibre);
    await newSchedule(service, { description: 'Router' });
    owner = await site.member('owner');
    page = owner.page;
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  const dialog = (): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const amountOf = async ({ id }: ScheduleBody): Promise<number> => {
    const { body } = await site.service.api<{ amount: { value: number } }>(
      'GET',
      `/api/v1/schedules/${id}`,
    );
    return body.amount.value;
  };

  test(`${MATCHING} prices are raised in ${STEPS} steps, who must agree again is said before`, async () => {
    await owner.open('/schedules?q=fibre');
    await page.getByText('120 schedules', { exact: true }).waitFor();
    const acts = await countActs(page);
    await press(page, 'Select all 120');
    await seeText(
      page,
      '120 of 120 schedules selected. To leave some out, clear the selection first.',
    );
    const tick = rowsOf(page, 'Schedules').first().getByRole('checkbox');
    assert.ok((await tick.isChecked()) && (await tick.isDisabled()));
    await press(page, 'Change amount');
    await dialog().getByLabel('Per cent').fill('8');
    await press(dialog().first(), 'Preview');
    await seeText(page, '1 schedule changes within the limits its customer agreed to.');
    await seeText(
      page,
      '1 schedule needs new consent; until then the current amount is collected.',
    );
    await seeText(page, '117 schedules still wait for consent, now with the new terms.');
    await seeText(page, '1 schedule cannot be changed.');
    await assertGood(page, 'the preview of a change');
    await press(dialog().first(), 'Change 119 schedules');
    await page.waitForURL(/\/schedules\/changes\/chg_/);
    assert.equal(await acts(), STEPS);
    await seeHeading(page, 'Raise 120 schedules by 8%');
    await badgeOf(page, 'Done').waitFor();
    await assertGood(page, 'a change of many');
    assert.equal(await amountOf(roomy), 5399);
    assert.equal(await amountOf(tight), 5399);
  });

  test('the page of a change lists the outcome of each schedule, and saves it as a file', async () => {
    await owner.open('/schedules/changes');
    await rowsOf(page, 'Changes of many schedules').first().getByRole('link').click();
    await seeHeading(page, 'Raise 120 schedules by 8%');
    await page.getByLabel('Effect').selectOption({ label: 'Cannot be changed' });
    const rows = rowsOf(page, 'Schedules');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.first().getByText('A cancelled schedule cannot be changed.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    const [heading, ...lines] = readCsv(await readFile(await download.path(), 'utf8'));
    assert.equal(heading?.[0], 'schedule_id');
    assert.equal(lines.length, 1, 'the filter of the page is that of its file');
  });

  test('ticked rows are paused together, and only these', async () => {
    await owner.open('/schedules?q=router');
    await page.getByRole('checkbox', { name: /^Select Router/ }).check();
    await seeText(page, '1 of 1 schedule selected');
    await press(page, 'Pause');
    await press(dialog().first(), 'Pause 1 schedule');
    await seeHeading(page, 'Pause 1 schedule');
    await badgeOf(page, 'Done').waitFor();
    await owner.open('/schedules?status=paused');
    const rows = rowsOf(page, 'Schedules');
    await rows.first().getByText('Router').waitFor();
    assert.equal(await rows.count(), 1);
  });

  test('a preview is started from its page only after the question of its act', async () => {
    const { body } = await site.service.api<{ id: string }>('POST', '/api/v1/schedule_changes', {
      schedule_ids: [tight.id],
      change: { status: 'cancelled' },
      preview: true,
    });
    await owner.open(`/schedules/changes/${body.id}`);
    await press(page, 'Cancel 1 schedule');
    const question = page.getByRole('alertdialog', { name: 'Cancel 1 schedule?' });
    await question.getByText('This cannot be undone.', { exact: false }).waitFor();
    await assertGood(page, 'the question before a preview is started');
    await press(question, 'Go back');
    await gone(question);
    await badgeOf(page, 'Preview').waitFor();
    await press(page, 'Cancel 1 schedule');
    await press(question, 'Cancel 1 schedule');
    await gone(question);
    await badgeOf(page, 'Done').waitFor();
  });

  test('more schedules than a change takes cannot be selected at once', async () => {
    await page.route(/\/api\/v1\/schedules\?.*limit=1(&|$)/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), total: 8000 } });
    });
    await owner.open('/schedules');
    await seeText(page, 'To select all, narrow the filters to 5,000 schedules.');
    assert.equal(await page.getByRole('button', { name: /^Select all/ }).count(), 0);
    await assertGood(page, 'a list of more schedules than a change takes');
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('a new schedule may leave room, so that the next price change asks nobody', async () => {
    await owner.open('/schedules/new');
    await page.getByLabel('Amount', { exact: true }).fill('34.99');
    await press(page, 'Allow up to £45.00');
    await seeText(page, 'The customer allows up to £45.00 a payment, and pays £34.99.');
    assert.equal(await page.getByLabel('Most per payment').inputValue(), '45.00');
    await assertGood(page, 'a new schedule with room');
    await press(page, 'Only £34.99');
    assert.equal(await page.getByLabel('Most per payment').inputValue(), '');
  });

  test('a reader sees the sums of what is collected and recent changes, and ticks nothing', async () => {
    const reader = await site.member('read_only');
    await reader.open('/schedules?status=active');
    await seeText(reader.page, '1 schedule, £53.99 together');
    assert.equal(await reader.page.getByRole('checkbox').count(), 0);
    await reader.page.getByLabel('Status').selectOption('All statuses');
    await reader.page.getByText('121 schedules', { exact: true }).waitFor();
    await card(reader.page, 'Selected schedules')
      .getByRole('link', { name: 'Recent changes' })
      .click();
    await rowsOf(reader.page, 'Changes of many schedules').nth(2).waitFor();
  });
});
