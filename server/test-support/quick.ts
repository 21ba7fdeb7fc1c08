import assert from 'node:assert/strict';

const MAX_TRIES = 4;

/**
 * Asserts that an attempt takes less than `limitMs` milliseconds in one of a few tries. On an idle machine it must take far less.
 * The attempt returns its duration in milliseconds.
 */
export async function assertQuick(
  limitMs: number,
  attempt: () => number | Promise<number>,
): Promise<void> {
  const took: number[] = [];
  while (took.length < MAX_TRIES) {
    const ms = await attempt();
    if (ms < limitMs) return;
    took.push(ms);
  }
  assert.fail(`it took ${took.join(', ')} ms`);
}

/** Returns how long the work takes, in milliseconds. */
export async function elapsed(work: () => void | Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
