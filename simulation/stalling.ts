import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from '../server/src/platform/db.ts';

/**
 * A process whose n-th call to the outside takes minutes or hours: the partner answers late, or the whole process stands
 * still. Others take over meanwhile; then it goes on as if nothing had happened.
 */
export class Stalling {
  #left: number;
  readonly #after: boolean;
  readonly #begun = Promise.withResolvers<void>();
  readonly #released = Promise.withResolvers<void>();
  hasBegun = false;
  /** Only while nobody waits for its answer. */
  isArmed = false;

  constructor(call: number, after: boolean) {
    this.#left = call;
    this.#after = after;
  }

  /** Settles when it stands still. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** Lets it go on. */
  release(): void {
    this.#released.resolve();
  }

  /** Stands between the process and one of its partners. */
  wrap<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== 'function') return value;
        if (name === 'listMovements') return value.bind(object); // a list, and no promise
        return (...args: unknown[]) => this.#call(async () => value.apply(object, args));
      },
    });
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    if (!this.isArmed || this.hasBegun || --this.#left > 0) return work();
    this.hasBegun = true;
    if (!this.#after) await this.#wait();
    try {
      return await work();
    } finally {
      if (this.#after) await this.#wait();
    }
  }

  #wait(): Promise<void> {
    this.#begun.resolve();
    return this.#released.promise;
  }
}

/** A database that tells when nobody asks anything of it any more. */
export interface QuietDb extends Db {
  /** Settles when whatever was under way has come to its end, or waits for something else than the database. */
  quiet(): Promise<void>;
}

const TURNS = 3;

/** Waits until `last` has stayed the same for some turns of the event loop. */
export async function untilQuiet(last: () => Promise<unknown>): Promise<void> {
  for (let turns = 0, seen = last(); turns < TURNS; turns++) {
    await seen;
    await nextTurn();
    if (last() === seen) continue;
    seen = last();
    turns = -1;
  }
}
