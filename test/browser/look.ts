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

/** Run in each page: a click on a label counts once, and so does a box, a choice, or all that is typed into one field. */
const COUNTING = `if (!globalThis.isCounting) {
  globalThis.isCounting = true;
  let filled = null;
  const act = () => { sessionStorage.acts = Number(sessionStorage.acts) + 1; };
  const isBox = ({ type }) => type === 'checkbox' || type === 'radio';
  document.addEventListener('click', ({ target }) => {
    filled = null;
    if (isBox(target) || !target.closest('label')) act();
  }, true);
  document.addEventListener('input', ({ target }) => {
    if (!isBox(target) && target !== filled) act();
    filled = target;
  }, true);
}`;

/** Counts the clicks and filled fields of a page from now on, on this site. Returns what reads the count. */
export async function countActs(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(COUNTING);
  await page.evaluate(`${COUNTING}; sessionStorage.acts = 0;`);
  return () => page.evaluate<number>('Number(sessionStorage.acts)');
}
