import type { Locator, Page } from 'playwright-core';
import { textOf } from './account.ts';

/** Run in a page that has clipboard permission. */
const CLIPBOARD = 'navigator.clipboard.readText()';

/** Returns the part of the page with this heading. */
export const card = (page: Page, title: string | RegExp): Locator =>
  page.getByRole('region', { name: title });

/** Presses the button of this name, on the page or in a part of it. */
export const press = (where: Page | Locator, name: string): Promise<void> =>
  where.getByRole('button', { name, exact: true }).click();

/** Returns the rows of a table, without its header. */
export const rowsOf = (page: Page, table: string): Locator =>
  page.getByRole('table', { name: table }).locator('tbody').getByRole('row');

/** Returns the text copied last; the person's context needs the permission `clipboard-read`. */
export const copied = (page: Page): Promise<string> => page.evaluate<string>(CLIPBOARD);

/** Unfolds the evidence of the open payment. */
export const openEvidence = (page: Page): Promise<void> =>
  page.getByText('Show attempts, bank IDs and ledger entries').click();

/** Returns all visible text of the page. */
export const wordsOn = (page: Page): Promise<string> => textOf(page.locator('body'));

/** Waits until the dialog is closed: its action is complete. */
export const gone = (dialog: Locator): Promise<void> => dialog.waitFor({ state: 'detached' });

/** Counts the clicks and filled fields of a page from now on. Returns what reads the count, until the page is loaded again. */
export async function countActs(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    `globalThis.acts = 0;
    for (const kind of ['click', 'input'])
      document.addEventListener(kind, () => { globalThis.acts += 1; }, true);`,
  );
  return () => page.evaluate<number>('globalThis.acts');
}
