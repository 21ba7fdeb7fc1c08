import type { Log } from '../platform/log.ts';

/** Things to be undone, the last one first. One that fails does not keep the others from being undone. */
export class Undo {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.unshift(step);
  }

  async run(log: Log): Promise<void> {
    for (const step of this.#steps.splice(0))
      await step().catch((error: unknown) =>
        log.error({ err: error }, 'something did not stop cleanly'),
      );
  }
}
