import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import {
  createPasswordLink,
  createSignInLink,
} from '../../server/src/merchants/sign-in/links/links.ts';
import { findUserByEmail } from '../../server/src/merchants/sign-in/user-store.ts';
import { assertAccessible } from './axe.ts';
import type { Person, Site } from './dashboard.ts';

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
/** Run in the page: the spare width, in pixels; negative if the page overflows. */
const SPARE_WIDTH = 'document.documentElement.clientWidth - document.documentElement.scrollWidth';
/** The same for the open dialog, with letters twice the size; 0 if there is none. */
const SPARE_IN_DIALOG = `(() => {
  const page = document.documentElement;
  const dialog = document.querySelector('.dialog');
  if (dialog === null) return 0;
  page.style.fontSize = '200%';
  const { left, right } = dialog.getBoundingClientRect();
  const spare = Math.min(left, page.clientWidth - right, dialog.clientWidth - dialog.scrollWidth);
  page.style.fontSize = '';
  return spare;
})()`;

/** Returns a sign-in link, as the command line and the start of the sandbox create it. */
export async function signInLink({ service }: Site, email: string): Promise<string> {
  const { platform } = service.running;
  return (await platform.db.transaction((tx) => createSignInLink(platform, tx, email))).url;
}

/** Returns a link to set a password, as the command line creates it. */
export async function passwordLink({ service }: Site, email: string): Promise<string> {
  const { platform } = service.running;
  return platform.db.transaction(async (tx) => {
    const user = await findUserByEmail(tx, email);
    assert.ok(user !== null, `${email} is a user`);
    return (await createPasswordLink(platform, tx, user.userId)).url;
  });
}

/** Run in the page: what is wider than the page if letters are 24 pixels high, as a browser's setting makes them. */
const TOO_WIDE_WITH_LARGE_LETTERS = `(() => {
  const root = document.documentElement;
  root.style.fontSize = '24px';
  const width = root.clientWidth;
  const wide = root.scrollWidth > width
    ? [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > width + 1)
        .map((e) => e.tagName + '.' + e.className).slice(-5).join(' ')
    : '';
  root.style.fontSize = '';
  return wide;
})()`;

/** Run in the page: the buttons that lie beyond the screen's edge, where only scrolling a table would show them. */
const HIDDEN_BUTTONS = `[...document.querySelectorAll('main button')]
  .filter((button) => button.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((button) => button.textContent).join(', ')`;

/** Run in the page: the amounts that are broken over two lines, or stick out of what they stand in; code may scroll. */
const BROKEN_AMOUNTS = `(() => {
  const broken = [];
  const range = document.createRange();
  const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (node.parentElement.closest('.visually-hidden, pre') !== null) continue;
    for (const { 0: amount, index } of node.data.matchAll(/£[\\d,]+(\\.\\d\\d)?/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + amount.length);
      const boxes = [...range.getClientRects()];
      const { right: edge } = node.parentElement
        .closest('.tile, td, dd, li, p, h1, h2, h3, .card, .dialog, main').getBoundingClientRect();
      const lines = new Set(boxes.map(({ top }) => Math.round(top)));
      if (lines.size > 1 || boxes.some(({ right }) => right > edge + 1)) broken.push(amount);
    }
  }
  return broken.join(' ');
})()`;

/** Opens a link for a new password, and sets this one. */
export async function choosePassword(
  { page }: Person,
  url: string,
  password: string,
): Promise<void> {
  await page.goto(url);
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set the password and sign in' }).click();
}

/** Fills in and submits the open sign-in page. */
export async function enter({ page }: Person, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs out through the account menu, and opens the sign-in page as a new visitor. */
export async function signOut({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: 'your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await seeHeading(page, 'Sign in');
}

/** Waits until the page has this heading. */
export async function seeHeading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

/** Waits until this text is visible. */
export async function seeText(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

/** Returns the text of an element. */
export async function textOf(place: Locator): Promise<string> {
  return (await place.textContent()) ?? '';
}

/** Fails if the page is not accessible, light or dark, or scrolls sideways or breaks an amount on a phone. */
export async function assertGood(page: Page, name: string): Promise<void> {
  await assertAccessible(page, name);
  await page.setViewportSize(PHONE);
  const spare = await page.evaluate<number>(SPARE_WIDTH);
  assert.ok(spare >= 0, `${name} is ${-spare} pixels too wide for a phone`);
  const hidden = await page.evaluate<string>(HIDDEN_BUTTONS);
  assert.equal(hidden, '', `${name}: buttons beyond the edge of a phone's screen`);
  assert.equal(await page.evaluate<string>(BROKEN_AMOUNTS), '', `${name}: broken amounts`);
  const inDialog = await page.evaluate<number>(SPARE_IN_DIALOG);
  assert.ok(inDialog >= 0, `${name}: ${-inDialog} pixels too wide for a phone with large letters`);
  const large = await page.evaluate<string>(TOO_WIDE_WITH_LARGE_LETTERS);
  assert.equal(large, '', `${name} scrolls sideways on a phone with large letters`);
  await page.setViewportSize(DESKTOP);
}
