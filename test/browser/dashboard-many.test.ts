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
import { card, press, rowsOf } from './look.ts';

const MATCHING = 120;
const MOST_STEPS = 6;
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

  test(`${MATCHING} prices are raised in ${MOST_STEPS} steps, who must agree again is said before`, async () => {
    await owner.open('/schedules?q=fibre');
    await seeText(page, '120 schedules, £5,998.80 if each collects once');
    const steps = [
      () => press(page, 'Select all 120'),
      () => press(page, 'Change amount'),
      () => dialog().getByLabel('Per cent').fill('8'),
      () => press(dialog().first(), 'Preview'),
      () => press(dialog().first(), 'Change 119 schedules'),
    ];
    assert.ok(steps.length <= MOST_STEPS);
    for (const [at, step] of steps.entries()) {
      if (at === 4) {
        await seeText(page, '1 schedule changes within the limits its customer agreed to.');
        await seeText(
          page,
          '1 schedule needs new consent; until then the current amount is collected.',
        );
        await seeText(
          page,
          '117 schedules still wait for consent; their links show the new terms.',
        );
        await seeText(page, '1 schedule cannot be changed.');
        await assertGood(page, 'the preview of a change');
      }
      await step();
    }
    await page.waitForURL(/\/schedules\/changes\/chg_/);
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
    assert.equal(lines.length, MATCHING);
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

  test('a reader sees the sums and ticks nothing', async () => {
    const reader = await site.member('read_only');
    await reader.open('/schedules');
    await reader.page.getByText('121 schedules', { exact: false }).first().waitFor();
    assert.equal(await reader.page.getByRole('checkbox').count(), 0);
    await card(reader.page, 'Selected schedules').waitFor();
  });
});
