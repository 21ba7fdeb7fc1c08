import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 120_000;
const PAUSE_MS = 20;

/** Waits until a condition is true; fails after two minutes, or `withinMs`, and says what did not happen. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `it did not happen: ${what}`);
    await sleep(PAUSE_MS);
  }
}
