import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

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

/** Run in the page: the spare width, in pixels, with this font size. */
const SPARE_WIDTH = `(fontSize) => {
  const { documentElement: page } = document;
  page.style.fontSize = fontSize;
  const spare = page.clientWidth - page.scrollWidth;
  page.style.fontSize = '';
  return spare;
}`;

/** Fails if the page scrolls sideways, with letters of normal or double size. */
export async function assertFits(page: Page, name: string): Promise<void> {
  for (const size of ['100%', '200%']) {
    const spare = await page.evaluate<number>(`(${SPARE_WIDTH})('${size}')`);
    const width = page.viewportSize()?.width;
    assert.ok(spare >= 0, `${name} at ${width} and ${size}: ${-spare} pixels too wide`);
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
