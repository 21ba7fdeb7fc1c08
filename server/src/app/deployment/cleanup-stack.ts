import type { Log } from '../../platform/log/log.ts';
import { endsWithin } from '../../platform/network/ends-within.ts';

/** The time limit for all steps together; a bounded step is waited for regardless. */
const CLEANUP_LIMIT_MS = 12_000;
/** Every step gets at least this long, even after the time limit: long enough to ask others to stop. */
const MIN_MS = 200;

/**
 * A stack of clean-up steps, run last first. A step that fails or takes too long does not prevent the others. A step added as
 * `bounded` ends on its own and is always waited for.
 */
export class CleanupStack {
  readonly #steps: { step: () => Promise<void>; isBounded: boolean }[] = [];

  add(step: () => Promise<void>, { bounded = false } = {}): void {
    this.#steps.unshift({ step, isBounded: bounded });
  }

  async run(log: Log, withinMs = CLEANUP_LIMIT_MS): Promise<void> {
    const deadline = performance.now() + withinMs;
    for (const { step, isBounded } of this.#steps.splice(0)) {
      const stopping = step().catch((error: unknown) =>
        log.report('service.stop_failed', { err: error }),
      );
      const ms = Math.max(MIN_MS, deadline - performance.now());
      if (isBounded) await stopping;
      else if (!(await endsWithin(stopping, ms))) log.report('service.stop_overdue');
    }
  }
}
