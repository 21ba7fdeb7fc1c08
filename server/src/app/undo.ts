import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';

/** What all steps but the last may take together. */
const SOFT_MS = 12_000;
/** A step is begun even when the time is over: what it asks others to do, it asks. */
const LEAST_MS = 200;

const LATE = Symbol('late');

/**
 * Things to be undone, the last one first. One that fails, or takes too long, does not keep the others from being undone. What
 * was added as `bounded` ends on its own and is always waited for.
 */
export class Undo {
  readonly #steps: { step: () => Promise<void>; isBounded: boolean }[] = [];

  add(step: () => Promise<void>, { bounded = false } = {}): void {
    this.#steps.unshift({ step, isBounded: bounded });
  }

  async run(log: Log, withinMs = SOFT_MS): Promise<void> {
    const deadline = performance.now() + withinMs;
    for (const { step, isBounded } of this.#steps.splice(0)) {
      const stopping = step().catch((error: unknown) =>
        log.report('service.stop_failed', { err: error }),
      );
      if (isBounded) await stopping;
      else await orLate(stopping, Math.max(LEAST_MS, deadline - performance.now()), log);
    }
  }
}

async function orLate(stopping: Promise<void>, ms: number, log: Log): Promise<void> {
  const over = new AbortController();
  const late = sleep(ms, LATE, { signal: over.signal }).catch(() => undefined);
  const first = await Promise.race([stopping, late]);
  over.abort();
  if (first === LATE) log.report('service.stop_overdue');
}
