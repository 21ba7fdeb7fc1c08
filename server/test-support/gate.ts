/** Holds callers back until it is opened, and reports when one is waiting. */
export class Gate {
  readonly #reached = Promise.withResolvers<void>();
  readonly #opened = Promise.withResolvers<void>();

  /** Resolves when a caller waits. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  open(): void {
    this.#opened.resolve();
  }

  async pass(): Promise<void> {
    this.#reached.resolve();
    await this.#opened.promise;
  }
}
