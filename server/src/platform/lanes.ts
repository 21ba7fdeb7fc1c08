/**
 * Work under way, counted per lane (a bank, an endpoint), so that a slow one never holds up the others: a
 * stage claims only for lanes that have room, and does not wait for what it started.
 */
export class Lanes {
  readonly #perLane: number;
  readonly #counts = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();

  constructor(perLane: number) {
    this.#perLane = perLane;
  }

  /** Lanes without room. */
  full(): string[] {
    return [...this.#counts].filter(([, count]) => count >= this.#perLane).map(([lane]) => lane);
  }

  /** How much is under way in all lanes. */
  get size(): number {
    return this.#running.size;
  }

  /** Starts a piece of work. Its errors go to `failed`. */
  start(lane: string, work: () => Promise<void>, failed: (error: unknown) => void): void {
    this.#counts.set(lane, (this.#counts.get(lane) ?? 0) + 1);
    // What throws before it has begun fails like anything else.
    const running: Promise<void> = Promise.try(work)
      .catch(failed)
      .finally(() => {
        this.#running.delete(running);
        const left = (this.#counts.get(lane) ?? 1) - 1;
        if (left === 0) this.#counts.delete(lane);
        else this.#counts.set(lane, left);
      });
    this.#running.add(running);
  }

  /** Settles when everything that had been started is done. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }
}

/**
 * Maps with at most `width` under way at once, keeping order. Throws the first error, when nothing is under way any more.
 */
export async function mapInParallel<A, B>(
  items: readonly A[],
  width: number,
  work: (item: A) => Promise<B>,
): Promise<B[]> {
  const results: B[] = new Array(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      const item = items[index];
      if (item !== undefined) results[index] = await work(item);
    }
  };
  const workers = Array.from({ length: Math.min(width, items.length) }, worker);
  const failed = (await Promise.allSettled(workers)).find((w) => w.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results;
}
