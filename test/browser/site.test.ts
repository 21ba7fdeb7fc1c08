// Slow: builds the site of the documentation, and goes through it in a browser.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { buildSite } from '../../scripts/site/build.ts';
import { deadLinks } from '../../scripts/site/links.ts';
import { assertAccessible } from './axe.ts';
import { assertReads, watchPage } from './axe-page.ts';
import { openChromium } from './chromium.ts';

const PREFIX = '/some/where';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

const into = mkdtempSync(join(tmpdir(), 'recollect-site-'));
const host = createServer(({ url: path = '' }, response) => {
  const file = path.endsWith('/') ? `${path}index.html` : path;
  response.setHeader('content-type', TYPES[extname(file)] ?? '');
  response.end(readFileSync(join(into, file.slice(PREFIX.length))));
});
const complaints: string[] = [];
let folder: string;
let url: string;
let browser: Browser;

before(async () => {
  folder = await buildSite(into);
  await once(host.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  browser = await openChromium();
});
after(async () => {
  await browser?.close();
  host.close();
  host.closeAllConnections();
  rmSync(into, { recursive: true, force: true });
});

async function open(address: string, width = 1440, scheme: 'light' | 'dark' = 'light') {
  const viewport = { width, height: 900 };
  const context = await browser.newContext({ viewport, colorScheme: scheme });
  const page = await context.newPage();
  watchPage(page, [url, 'null'], complaints);
  await page.goto(address);
  return page;
}

/** Types words into the search, follows the first result, and returns the heading to which it leads. */
async function firstFound(page: Page, words: string): Promise<string | null> {
  await page.getByRole('searchbox').fill(words);
  await page.getByRole('region', { name: 'Found' }).getByRole('link').first().click();
  await page.locator('h1').waitFor();
  return page.locator(':target, h1').last().textContent();
}

test('no link of the site is dead, and a page that is gone or a heading that is renamed is noticed', () => {
  assert.deepEqual(deadLinks(folder), []);
  const copy = join(into, 'copy');
  cpSync(folder, copy, { recursive: true });
  rmSync(join(copy, 'errors/not_found.html'));
  const guide = join(copy, 'guides/operators.html');
  writeFileSync(guide, readFileSync(guide, 'utf8').replace('id="live-mode"', 'id="live"'));
  const dead = deadLinks(copy);
  rmSync(copy, { recursive: true });
  assert.ok(dead.includes('errors.html: errors/not_found.html'));
  assert.ok(dead.includes('guides/go-live.html: operators.html#live-mode'));
});

test('the first page says what it is, has one command, and shows three pictures that load', async () => {
  const page = await open(`${url}${PREFIX}/`);
  await page.getByRole('heading', { level: 1, name: 'Recollect' }).waitFor();
  assert.ok(page.url().endsWith('/latest/index.html'));
  assert.equal(await page.locator('main pre').count(), 1);
  const widths = await page
    .locator('main img')
    .evaluateAll((images) =>
      images.map((image) => (image as { naturalWidth?: number }).naturalWidth),
    );
  assert.equal(widths.length, 3);
  for (const width of widths) assert.ok(Number(width) > 1_000);
  await page.context().close();
});

test('a search finds the page of an error and the section of a guide, served and from the disk', async () => {
  const opened = [
    `${url}${PREFIX}/latest/guides/runbook.html`,
    pathToFileURL(join(folder, 'index.html')).href,
  ];
  for (const address of opened) {
    const page = await open(address);
    assert.equal(await firstFound(page, 'idempotency_conflict'), 'idempotency_conflict');
    assert.match(page.url(), /\/errors\/idempotency_conflict\.html$/);
    assert.equal(await firstFound(page, 'unknon outcomes'), 'Unknown outcomes');
    assert.match(page.url(), /\/rules\/payments\.html#unknown-outcomes$/);
    await page.context().close();
  }
});

test('the menu offers the versions that lie beside this one', async () => {
  cpSync(folder, join(into, '0.0.9'), { recursive: true });
  await buildSite(into);
  assert.deepEqual(JSON.parse(readFileSync(join(into, 'versions.json'), 'utf8')).at(-1), '0.0.9');
  const page = await open(`${url}${PREFIX}/latest/glossary.html`);
  await page.getByLabel('Version of these pages').selectOption('0.0.9');
  await page.waitForURL('**/0.0.9/index.html');
  await page.context().close();
});

test('pages are accessible and readable on a phone and a wide screen, in light and dark', async () => {
  for (const [width, scheme] of [
    [375, 'light'],
    [1440, 'dark'],
  ] as const) {
    for (const file of ['index', 'guides/first-collection', 'rules/payments']) {
      const page = await open(`${url}${PREFIX}/latest/${file}.html`, width, scheme);
      await assertAccessible(page, `${file} at ${width}`);
      await assertReads(page, `${file} at ${width}`);
      await page.getByRole('searchbox').fill('refund');
      await page.getByRole('link', { name: 'Refunds ›' }).first().waitFor();
      await assertAccessible(page, `what was found at ${width}`);
      await page.context().close();
    }
  }
  assert.deepEqual(complaints, []);
});
