// Slow: opens pages of every part in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { LARCH_PAY } from '../../server/test-support/settings/brand.ts';
import { newSchedule } from '../scenarios/acts.ts';
import { assertGood } from './account.ts';
import { assertAccessible } from './axe.ts';
import { type Person, type Site, startSite } from './dashboard.ts';

// Run in the page.
const ICON = `document.querySelector('link[rel=icon]').href`;
const BUTTON = `getComputedStyle(document.querySelector('button.main')).backgroundColor`;

describe('a service with a brand of its own', () => {
  let site: Site;
  let owner: Person;
  before(async () => {
    site = await startSite(LARCH_PAY);
    owner = await site.member('owner');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  /** Fails if a page shows another name than the brand's, or has not its logo. */
  async function assertBranded(page: Page): Promise<void> {
    await page.getByRole('img', { name: 'Larch Pay' }).first().waitFor();
    const width = `document.querySelector('img[alt="Larch Pay"]').naturalWidth`;
    assert.equal(await page.evaluate<number>(width), 120);
    const icon = await page.request.get(await page.evaluate<string>(ICON));
    assert.match(await icon.text(), /<title>Larch Pay<.*#5b21b6/s);
    const said = `${await page.title()}\n${await page.locator('body').textContent()}`;
    assert.doesNotMatch(said, /Recollect/); // the command keeps its name
  }
  test("a customer's page and the bank that it leads to", async () => {
    const { consent_url: url } = await newSchedule(site.service);
    const { page } = await site.stranger();
    await page.goto(`${url}`);
    await assertBranded(page);
    assert.equal(await page.evaluate<string>(BUTTON), 'rgb(91, 33, 182)');
    await assertAccessible(page, 'a branded page');
    await page.getByLabel('Northbank').check();
    await page.getByRole('button', { name: 'Continue to your bank' }).click();
    await page.getByText('Larch Pay has sent you here').waitFor();
  });

  test("the team's pages, before and after they sign in", async () => {
    const { page } = await site.stranger();
    await page.goto(`${site.service.baseUrl}/dashboard/sign-in`);
    await page.getByText('help@larch.example').waitFor();
    await assertBranded(page);
    await owner.open('/');
    await assertBranded(owner.page);
    assert.match(await owner.page.title(), / · Larch Pay$/);
    await assertGood(owner.page, 'a branded dashboard');
    await page.goto(`${site.service.baseUrl}/`);
    assert.equal(await page.title(), 'Larch Pay');
  });

  test("the operators' console", async () => {
    const { page } = await site.stranger();
    await page.goto(`${site.service.running.operatorUrl}/console`);
    await assertBranded(page);
    assert.match(await page.title(), / · Larch Pay$/);
  });
});
