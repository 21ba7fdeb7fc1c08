import assert from 'node:assert/strict';

const MOST_TRIES = 4;

/**
 * Does something that takes far less than `limitMs` milliseconds on a machine at rest: of a few tries one must.
 * The attempt answers how many milliseconds it took.
 */
export async function assertQuick(
  limitMs: number,
  attempt: () => number | Promise<number>,
): Promise<void> {
  const took: number[] = [];
  while (took.length < MOST_TRIES) {
    const ms = await attempt();
    if (ms < limitMs) return;
    took.push(ms);
  }
  assert.fail(`it took ${took.join(', ')} ms`);
}

/** Milliseconds that the work takes. */
export async function elapsed(work: () => void | Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
