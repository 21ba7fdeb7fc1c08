/** How often each key has sealed, in memory: since the start of the process, or since it was last taken. */
export class SealCounts {
  #counts = new Map<string, number>();

  add(keyId: string, seals = 1): void {
    this.#counts.set(keyId, (this.#counts.get(keyId) ?? 0) + seals);
  }

  /** Returns the counts, and begins again at zero. */
  take(): ReadonlyMap<string, number> {
    const taken = this.#counts;
    this.#counts = new Map();
    return taken;
  }
}
