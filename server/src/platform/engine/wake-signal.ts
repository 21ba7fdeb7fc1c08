/**
 * Wakes sleepers. A ring between checking and falling asleep is not lost: a sleeper that saw an earlier count does not sleep.
 */
export class WakeSignal {
  rings = 0;
  #sleepers = new Set<() => void>();

  ring(): void {
    this.rings++;
    const all = this.#sleepers;
    this.#sleepers = new Set();
    for (const wake of all) wake();
  }

  /** Sleeps until the next ring, at most `ms`; does not sleep if it has rung since `since`. */
  sleep(ms: number, since: number): Promise<void> {
    return new Promise((resolve) => {
      if (since !== this.rings) {
        resolve();
        return;
      }
      const wake = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#sleepers.add(wake);
    });
  }
}
