import assert from 'node:assert/strict';
import type { Locator, Page, Route } from 'playwright-core';
import { textOf } from './account.ts';

const PIN = '1234';

/** Returns the badge beside the page's heading, such as a status. */
export const badgeOf = (page: Page, word: string): Locator =>
  page
    .locator('header')
    .filter({ has: page.locator('h1') })
    .getByText(word, { exact: true });

/** Goes to another part of the dashboard through the navigation. */
export async function goTo(page: Page, place: string): Promise<void> {
  const main = page.getByRole('navigation', { name: 'Main' });
  await main.getByRole('link', { name: place, exact: true }).click();
}

/** A response on its way to a page. */
interface HeldAnswer {
  /** Resolves when the service has responded. */
  given: Promise<void>;
  letGo(): void;
}

/** Holds back the next response from such an address until it is released; by then the service has processed the request. */
export async function holdAnswer(page: Page, address: RegExp): Promise<HeldAnswer> {
  const given = Promise.withResolvers<void>();
  const wanted = Promise.withResolvers<void>();
  const hold = async (route: Route): Promise<void> => {
    const response = await route.fetch();
    given.resolve();
    await wanted.promise;
    await route.fulfill({ response });
  };
  await page.route(address, hold, { times: 1 });
  return { given: given.promise, letGo: wanted.resolve };
}

/** Waits until a field shows an error, and fails if it is another one. */
export async function namesProblem(field: Locator, problem: RegExp): Promise<void> {
  const page = field.page();
  const wrong = field.and(page.locator('[aria-invalid=true]'));
  await wrong.waitFor();
  const ids = ((await wrong.getAttribute('aria-describedby')) ?? '').split(' ');
  const errors = ids.filter((id) => id.endsWith('error'));
  const texts = await Promise.all(errors.map((id) => textOf(page.locator(`[id="${id}"]`))));
  assert.match(texts.join(' '), problem);
}

/** Acts as a customer: goes from the portal to the bank, logs in as alex, and agrees. */
export async function agreeAsAlex(page: Page, consentUrl: string): Promise<void> {
  await page.goto(consentUrl);
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: 'Continue to your bank' }).click();
  await page.getByLabel('Customer name').fill('alex');
  await page.getByLabel('PIN', { exact: true }).fill(PIN);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: /Let Fernhill Gym collect payments/ }).waitFor();
  await page.getByLabel('PIN', { exact: true }).fill(PIN);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Thank you, you’re all set' }).waitFor();
}

/** Tries every way to leave a dialog, and fails if one of them works. */
export async function staysOpen(dialog: Locator): Promise<void> {
  await dialog.page().keyboard.press('Escape');
  for (const name of ['Close', 'Cancel'])
    assert.ok(await dialog.getByRole('button', { name, exact: true }).isDisabled(), name);
}
