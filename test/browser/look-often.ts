import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** How long Playwright waits at most before it looks again for an element that is not there yet. */
const LONGEST_PAUSE_MS = 50;

type Retry = (progress: unknown, pausesMs: readonly number[], look: unknown) => Promise<unknown>;

/** A part of Playwright that it does not publish. */
interface FramePrototype {
  retryWithProgressAndTimeouts: Retry;
}

let isDone = false;

/**
 * Makes Playwright look often for an element that is not there yet, in every page of this process. It has no setting for that,
 * and after a quarter of a second it looks only twice a second: what comes after a third of a second is seen after four fifths.
 */
export function lookOften(page: Page): void {
  if (isDone) return;
  isDone = true;
  const frame: object = Reflect.get(page, '_connection').toImpl(page).mainFrame();
  const prototype: FramePrototype = Object.getPrototypeOf(frame);
  const retry = prototype.retryWithProgressAndTimeouts;
  assert.equal(typeof retry, 'function', 'this version of Playwright looks for elements otherwise');
  prototype.retryWithProgressAndTimeouts = function (progress, pausesMs, look) {
    const shorter = pausesMs.map((ms) => Math.min(ms, LONGEST_PAUSE_MS));
    return retry.call(this, progress, shorter, look);
  };
}
