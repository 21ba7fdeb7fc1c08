// Slow: goes through the search of everything in a browser.
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { grantedSchedule, newSchedule, type ScheduleBody } from '../scenarios/acts.ts';
import { assertGood, seeHeading } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { gone } from './look.ts';

describe('the search of everything', () => {
  let site: Site;
  let owner: Person;
  let piano: ScheduleBody;

  before(async () => {
    site = await startSite();
    piano = await grantedSchedule(site.service, 'alex', {
      description: 'Piano lessons',
      metadata: { teacher: 'Quill' },
      customer: { phone: '+447911123456', name: 'Kim O’Brien', reference: 'C-1042' },
    });
    await newSchedule(site.service, { description: 'Gym' });
    await site.service.advance('2026-02-03T12:00:00Z');
    owner = await site.member('owner');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' });
  const box = (page: Page) => dialog(page).getByRole('searchbox', { name: 'Search everything' });
  const option = (page: Page, name: RegExp) => dialog(page).getByRole('option', { name });

  test('Ctrl+K opens it anywhere, and the arrows or Enter alone lead to what was found', async () => {
    const { page } = owner;
    await owner.open('/');
    await seeHeading(page, 'Overview');
    await page.keyboard.press('Control+k');
    await box(page).waitFor();
    await page.keyboard.type('quill');
    await option(page, /^Piano lessons/).waitFor();
    await option(page, /^£49\.99 for Piano lessons/).waitFor();
    await assertGood(page, 'the search of everything');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await gone(dialog(page));
    await seeHeading(page, 'Piano lessons');
    await page.keyboard.press('Control+k');
    await box(page).fill('obrien');
    await option(page, /^Kim O’Brien/).waitFor();
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Kim O’Brien');
  });

  test('a customer is found by name and last digits, an object by the beginning of its id', async () => {
    const { page } = owner;
    for (const [typed, name] of [
      ['obrien', /^Kim O’Brien/],
      ['3456', /^Kim O’Brien/],
      ['C-1042', /^Kim O’Brien/],
      [piano.id.slice(0, 25), /^Piano lessons/],
      ['49.99', /^Piano lessons/],
    ] as const) {
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await box(page).fill(typed);
      await option(page, name).first().waitFor();
      await page.keyboard.press('Escape');
      if (await dialog(page).isVisible()) await page.keyboard.press('Escape');
      await gone(dialog(page));
    }
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await box(page).fill('obrien');
    await option(page, /^Kim O’Brien/).click();
    await seeHeading(page, 'Kim O’Brien');
  });

  test('“I was charged twice”: three letters of a name, and the payments are three steps away', async () => {
    const { page } = owner;
    await owner.open('/');
    await page.keyboard.press('Control+k');
    await box(page).fill('obri');
    await option(page, /^Kim O’Brien/).waitFor();
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Kim O’Brien');
    await page
      .getByRole('table', { name: 'Customer’s payments' })
      .getByRole('link')
      .first()
      .click();
    await seeHeading(page, 'Payment of £49.99');
  });

  test('a name that is one letter away is offered, and Enter alone does not open it', async () => {
    const { page } = owner;
    await page.keyboard.press('Control+k');
    await box(page).fill('obrein');
    await dialog(page).getByText('Nothing matches exactly.').waitFor();
    await dialog(page).getByText('Did you mean').waitFor();
    await option(page, /^Kim O’Brien/).waitFor();
    await assertGood(page, 'a search that offers another name');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Did you mean').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Kim O’Brien');
  });

  test('a settlement found by its amount has a date as people write it', async () => {
    const { page } = owner;
    await page.keyboard.press('Control+k');
    await box(page).fill('49.99');
    await option(page, /^£49\.99 on \d{1,2} \w{3} 2026/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    if (await dialog(page).isVisible()) await page.keyboard.press('Escape');
    await gone(dialog(page));
  });

  test('where nothing matches it says so', async () => {
    const { page } = owner;
    await page.keyboard.press('Control+k');
    await box(page).fill('zeppelin');
    await dialog(page).getByText('Nothing matches.').waitFor();
    await assertGood(page, 'a search that finds nothing');
  });
});
