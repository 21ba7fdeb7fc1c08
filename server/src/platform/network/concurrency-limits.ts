import { AsyncResource } from 'node:async_hooks';

/** What a lane does, and where its errors go. */
interface LaneTask {
  work: () => Promise<void>;
  failed: (error: unknown) => void;
}

/**
 * Limits concurrent work per lane (a bank, an endpoint), so that one slow lane cannot starve the others: a stage claims work
 * only for lanes with room, and does not wait for what it started. What is started beyond the limit waits in its lane.
 */
export class ConcurrencyLimits {
  readonly #perLane: number;
  /** How many pieces of work are in progress or wait, in each lane that has any. */
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Map<string, LaneTask[]>();
  readonly #running = new Set<Promise<void>>();

  constructor(perLane: number) {
    this.#perLane = perLane;
  }

  /** Returns the lanes that are at their limit. */
  full(): string[] {
    return [...this.#counts].filter(([, count]) => count >= this.#perLane).map(([lane]) => lane);
  }

  /** Returns how many more pieces of work a lane may start, where so many may be in progress or wait. */
  room(lane: string, most = this.#perLane): number {
    return Math.max(0, most - (this.#counts.get(lane) ?? 0));
  }

  /** Returns how many pieces of work are in progress or wait in each lane that has any. */
  counts(): [lane: string, count: number][] {
    return [...this.#counts];
  }

  /** The number of pieces of work in progress in all lanes. */
  get size(): number {
    return this.#running.size;
  }

  /** Starts a piece of work, or lets it wait for those before it in its lane. Its errors go to `failed`. */
  start(lane: string, work: () => Promise<void>, failed: (error: unknown) => void): void {
    const count = (this.#counts.get(lane) ?? 0) + 1;
    this.#counts.set(lane, count);
    const piece: LaneTask = { work: AsyncResource.bind(work), failed }; // in its own context, whoever makes room for it
    const waiting = this.#waiting.get(lane);
    if (count <= this.#perLane) this.#run(lane, piece);
    else if (waiting === undefined) this.#waiting.set(lane, [piece]);
    else waiting.push(piece);
  }

  #run(lane: string, { work, failed }: LaneTask): void {
    // A synchronous throw fails like any other error.
    const running: Promise<void> = Promise.try(work)
      .catch(failed)
      .finally(() => {
        this.#running.delete(running);
        this.#end(lane);
      });
    this.#running.add(running);
  }

  #end(lane: string): void {
    const left = (this.#counts.get(lane) ?? 1) - 1;
    if (left === 0) this.#counts.delete(lane);
    else this.#counts.set(lane, left);
    const waiting = this.#waiting.get(lane);
    const next = waiting?.shift();
    if (waiting?.length === 0) this.#waiting.delete(lane);
    if (next !== undefined) this.#run(lane, next);
  }

  /** Waits until a piece of work that is in progress is done; at once if there is none. */
  async oneEnds(): Promise<void> {
    if (this.#running.size > 0) await Promise.race(this.#running);
  }

  /** Waits until all work that was started is done. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

/** Maps in order, with at most `width` calls at a time. Throws the first error, after all running calls have ended. */
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
