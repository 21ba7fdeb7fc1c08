import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** A longer word (an address, a reference) may be broken. */
const LONGEST_WORD = 15;

/**
 * Collects complaints about a page: errors and warnings in its console, requests to hosts that are not among the `known` origins.
 * Call it before the first address is opened.
 */
export function watchPage(page: Page, known: readonly string[], complaints: string[]): void {
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && !known.includes(origin)) complaints.push(`asked ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Chromium reports every status from 400 on; the pages that get one do so on purpose.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded');
    if (['error', 'warning'].includes(message.type()) && !isStatus) complaints.push(message.text());
  });
}

/** Run in the page: the spare width, in pixels, with this font size, and the words that are broken over two lines. */
const AT_SIZE = `(fontSize) => {
  const { documentElement: page } = document;
  page.style.fontSize = fontSize;
  const spare = page.clientWidth - page.scrollWidth;
  const broken = [];
  const range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}£.,]+/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
      if (lines.size > 1 && word.length <= ${LONGEST_WORD}) broken.push(word);
    }
  page.style.fontSize = '';
  return { spare, broken };
}`;
const SIZES = ['100%', '200%'];

const atSize = (page: Page, size: string): Promise<{ spare: number; broken: string[] }> =>
  page.evaluate<{ spare: number; broken: string[] }>(`(${AT_SIZE})('${size}')`);

/** Fails if the page scrolls sideways, with letters of normal or double size. */
async function assertFits(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    const { spare } = await atSize(page, size);
    const width = page.viewportSize()?.width;
    assert.ok(spare >= 0, `${name} at ${width} and ${size}: ${-spare} pixels too wide`);
  }
}

/** Fails if the page scrolls sideways or breaks a word, with letters of normal or double size. */
export async function assertReads(page: Page, name: string): Promise<void> {
  await assertFits(page, name);
  for (const size of SIZES) {
    const { broken } = await atSize(page, size);
    assert.deepEqual(
      broken,
      [],
      `${name} at ${page.viewportSize()?.width} and ${size}: broken words`,
    );
  }
}

/** Returns the bytes transferred for one page, headers included, with an empty cache. */
export async function bytesOf(page: Page, url: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(url, { waitUntil: 'networkidle' });
  await session.detach();
  return bytes;
}
