// Slow: goes through whole imports in a browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertGood, seeHeading, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, press, rowsOf } from './look.ts';

const HEADING =
  'import_reference,customer_phone,customer_name,amount,frequency,description,start_date';
const GOOD = [
  'A1,07700 900123,Alex Fern,49.99,monthly,Broadband,',
  'A2,07700 900124,Bo Hill,"1,200",yearly,Membership,',
];
const BAD = 'A3,4.477E+11,Cy Wood,"49,99",monthly,Broadband,';

describe('importing schedules', () => {
  let site: Site;
  let finance: Person;
  let page: Page;

  before(async () => {
    site = await startSite();
    finance = await site.member('finance');
    page = finance.page;
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  const choose = (...lines: string[]) =>
    page.getByLabel('CSV file').setInputFiles({
      name: 'customers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`\uFEFF${[HEADING, ...lines].join('\r\n')}`),
    });
  const saved = async (button: string): Promise<string[]> => {
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, button)]);
    return (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  };

  test('the template leads to a file that is good', async () => {
    await finance.open('/schedules');
    await page.getByRole('link', { name: 'Import' }).click();
    await seeHeading(page, 'Import schedules');
    await assertGood(page, 'an import');
    const [heading = '', ...lines] = await saved('Download the template');
    const guide = await readFile(
      new URL('../../docs/guides/moving-in.md', import.meta.url),
      'utf8',
    );
    assert.equal(/```csv\n(.*?)\n```/s.exec(guide)?.[1], [heading, ...lines].join('\n'));
    await page.getByLabel('CSV file').setInputFiles({
      name: 'template.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([heading, ...lines].join('\r\n')),
    });
    await seeText(page, '2 lines ready to import');
    await seeText(page, 'No line has a problem.');
  });

  test('a check shows each problem, and the import creates the rest with links for the customers', async () => {
    await choose(...GOOD, BAD);
    await seeText(page, '1 line with a problem.');
    const rows = rowsOf(page, 'Problems');
    await rows.getByText('customer phone').waitFor();
    await rows.getByText('must have a point between pounds and pence, such as 49.99').waitFor();
    assert.deepEqual((await saved('Download the problems')).length, 3);
    await assertGood(page, 'a checked import');
    await press(page, 'Import 2 schedules');
    await card(page, '2 schedules created').waitFor();
    await assertGood(page, 'an import that is done');
    const [, alex = ''] = await saved('Download the consent links');
    const url = alex.split(',').at(-1) ?? '';
    const customer = await site.stranger();
    await customer.page.goto(url);
    await customer.page.getByText('Broadband').first().waitFor();
    await page.getByRole('link', { name: 'Go to the schedules' }).click();
    await rowsOf(page, 'Schedules').getByText('Alex Fern').waitFor();
  });

  test('a corrected file creates just what was missing', async () => {
    await finance.open('/schedules/import');
    await choose(...GOOD, BAD.replace('4.477E+11', '07700 900125').replace('49,99', '49.99'));
    await seeText(page, '1 line ready to import');
    await seeText(page, '2 lines imported before, no line has a problem.');
    await press(page, 'Import 1 schedule');
    await card(page, '1 schedule created').waitFor();
  });

  test('what is no such file is refused in words', async () => {
    await finance.open('/schedules/import');
    await page.getByLabel('CSV file').setInputFiles({
      name: 'photo.png',
      mimeType: 'image/png',
      buffer: Buffer.from([137, 80, 78, 71, 13, 10]),
    });
    await seeText(page, 'This file cannot be imported');
    await seeText(page, 'The file must begin with a heading that has the columns');
  });

  test('who may only read gets no import', async () => {
    const reader = await site.member('read_only');
    await reader.open('/schedules');
    assert.equal(await reader.page.getByRole('link', { name: 'Import' }).count(), 0);
    await reader.open('/schedules/import');
    await seeText(reader.page, 'Your role cannot create schedules');
  });
});
