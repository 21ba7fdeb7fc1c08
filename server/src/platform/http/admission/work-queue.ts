import { ApiError } from '../../values/errors.ts';

/** The classes of HTTP work, the most important first: under load the last ones are refused first. */
export const WORK_CLASSES = ['collections', 'changes', 'customers', 'reads', 'exports'] as const;
/**
 * What a request is for. `collections`: notifications of banks and of the issuer. `changes`: what alters something.
 * `customers`: the customers' pages. `reads`: everything that is only shown. `exports`: files.
 */
export type Work = (typeof WORK_CLASSES)[number];

/** Bounds of one class. */
export interface Bounds {
  /** The most that run at once. */
  running: number;
  /** The most that wait; further ones are refused. */
  waiting: number;
  /** The longest that one waits, in milliseconds. */
  waitMs: number;
  /** When a refused caller should try again, in seconds. */
  retryAfter: number;
}

/** There are more requests than we can work on: 503 `service_unavailable`. `retryAfter` in seconds. */
export class Overloaded extends ApiError {
  override readonly name = 'Overloaded';
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    const wait = retryAfter === 1 ? '1 second' : `${retryAfter} seconds`;
    super('service_unavailable', `The service is busy; try again in ${wait}.`);
    this.retryAfter = retryAfter;
  }
}

/** The share of the slots that a class may use, and how many wait for each slot. */
const SHARES: Readonly<Record<Work, { share: number; waiting: number; waitMs: number }>> = {
  collections: { share: 1, waiting: 20, waitMs: 10_000 },
  changes: { share: 0.75, waiting: 10, waitMs: 5_000 },
  customers: { share: 0.5, waiting: 10, waitMs: 5_000 },
  reads: { share: 0.5, waiting: 3, waitMs: 2_000 },
  exports: { share: 0.125, waiting: 1, waitMs: 2_000 },
};

/** Returns the bounds of every class where `slots` requests are worked on at once. */
export function boundsFor(slots: number): Readonly<Record<Work, Bounds>> {
  const all = WORK_CLASSES.map((work, rank) => {
    const { share, waiting, waitMs } = SHARES[work];
    const running = Math.max(1, Math.floor(slots * share));
    return [work, { running, waiting: slots * waiting, waitMs, retryAfter: rank + 1 }];
  });
  return Object.fromEntries(all) as Record<Work, Bounds>;
}

interface Waiting {
  begin(): void;
}

/**
 * Runs at most `slots` pieces of work at once, and of each class at most its share. The others wait in a bounded queue, and the
 * most important class is served first. Beyond the bounds, work is refused.
 */
export class WorkQueue {
  readonly bounds: Readonly<Record<Work, Bounds>>;
  readonly #slots: number;
  readonly #refused: (work: Work) => void;
  readonly #running: Record<Work, number>;
  readonly #waiting: Record<Work, Set<Waiting>>;

  constructor(slots: number, refused: (work: Work) => void = () => undefined) {
    this.bounds = boundsFor(slots);
    this.#slots = slots;
    this.#refused = refused;
    this.#running = forEach(() => 0);
    this.#waiting = forEach(() => new Set<Waiting>());
  }

  /** Returns how many of a class run and wait. */
  size(work: Work): { running: number; waiting: number } {
    return { running: this.#running[work], waiting: this.#waiting[work].size };
  }

  /** Throws Overloaded if further work of this class would find no place to wait. */
  refuseIfFull(work: Work): void {
    if (!this.#hasRoom(work) && this.#waiting[work].size >= this.bounds[work].waiting)
      throw this.#refusal(work);
  }

  /**
   * Does a piece of work when a slot is free. Throws Overloaded if there is no place to wait, the wait takes too long, or it is
   * given up: `onGivenUp` is called for work that has to wait, with what takes it out of the queue.
   */
  async run<T>(
    work: Work,
    job: () => Promise<T>,
    onGivenUp: (leave: () => void) => void = () => undefined,
  ): Promise<T> {
    this.refuseIfFull(work);
    if (this.#hasRoom(work)) this.#running[work]++;
    else await this.#turnOf(work, onGivenUp);
    try {
      return await job();
    } finally {
      this.#running[work]--;
      this.#beginNext();
    }
  }

  #hasRoom(work: Work): boolean {
    const running = WORK_CLASSES.reduce((sum, each) => sum + this.#running[each], 0);
    return running < this.#slots && this.#running[work] < this.bounds[work].running;
  }

  #refusal(work: Work): Overloaded {
    this.#refused(work);
    return new Overloaded(this.bounds[work].retryAfter);
  }

  /** Resolves when a slot was taken for the caller. */
  #turnOf(work: Work, onGivenUp: (leave: () => void) => void): Promise<void> {
    const queue = this.#waiting[work];
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        begin: () => {
          clearTimeout(timer);
          queue.delete(one);
          this.#running[work]++;
          resolve();
        },
      };
      const timer = setTimeout(() => {
        queue.delete(one);
        reject(this.#refusal(work));
      }, this.bounds[work].waitMs);
      queue.add(one);
      onGivenUp(() => {
        if (!queue.delete(one)) return;
        clearTimeout(timer);
        reject(new Overloaded(this.bounds[work].retryAfter));
      });
    });
  }

  #beginNext(): void {
    for (const work of WORK_CLASSES)
      for (const one of this.#waiting[work]) {
        if (!this.#hasRoom(work)) break;
        one.begin();
      }
  }
}

function forEach<T>(make: () => T): Record<Work, T> {
  return Object.fromEntries(WORK_CLASSES.map((work) => [work, make()])) as Record<Work, T>;
}
