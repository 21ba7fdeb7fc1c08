import type { Bank } from '../src/banks/bank.ts';
import type { Db, SqlValue, Tx } from '../src/platform/db.ts';
import type { Issuer } from '../src/wallets/issuer.ts';
import type { Wrap } from './harness.ts';

/** What a dead process answers to everything. */
export class Dead extends Error {
  override readonly name = 'Dead';
}

/** A process that dies at its n-th step towards the world, before or after the step has had its effect. */
export class Doomed {
  #left: number;
  readonly #after: boolean;
  isDead = false;

  constructor(step: number, after: boolean) {
    this.#left = step;
    this.#after = after;
  }

  #live(): void {
    if (this.isDead) throw new Dead('this process is dead');
  }

  /** Counts a step; true: this is the one to die at. */
  #isLast(): boolean {
    this.#left -= 1;
    return this.#left === 0;
  }

  #die(): never {
    this.isDead = true;
    throw new Dead('killed');
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    this.#live();
    const isLast = this.#isLast();
    if (isLast && !this.#after) this.#die();
    const result = await work();
    if (isLast) this.#die();
    return result;
  }

  /** Only a transaction that changed something is a step; dying before it means that it is rolled back. */
  async #transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#live();
    let isLast = false;
    const result = await db.transaction(async (tx) => {
      const watched = watch(tx);
      const done = await work(watched.tx);
      isLast = watched.hasChanged() && this.#isLast();
      if (isLast && !this.#after) this.#die();
      return done;
    });
    if (isLast) this.#die();
    return result;
  }

  /** Stands between a process and its database, bank and issuer: each transaction and each call is a step. */
  readonly wrap: Wrap = {
    db: (db: Db): Db => ({
      ...db,
      transaction: (work) => this.#transaction(db, work),
      read: async (work) => {
        this.#live();
        return db.read(work);
      },
    }),
    bank: (bank: Bank): Bank => this.#proxy(bank),
    issuer: (issuer: Issuer): Issuer => this.#proxy(issuer),
  };

  #proxy<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== 'function' || name === 'listMovements') return value;
        return (...args: unknown[]) => this.#call(async () => value.apply(object, args));
      },
    });
  }
}

/** A transaction that knows whether a statement of its own changed a row. */
function watch(tx: Tx): { tx: Tx; hasChanged: () => boolean } {
  let changed = false;
  const note = (sql: string, rows: number): void => {
    if (rows > 0 && !/^\s*SELECT/i.test(sql)) changed = true;
  };
  return {
    hasChanged: () => changed,
    tx: {
      rows: async <R extends object>(sql: string, values?: readonly SqlValue[]) => {
        const rows = await tx.rows<R>(sql, values);
        note(sql, rows.length);
        return rows;
      },
      row: async <R extends object>(sql: string, values?: readonly SqlValue[]) => {
        const row = await tx.row<R>(sql, values);
        note(sql, row === null ? 0 : 1);
        return row;
      },
      run: async (sql, values) => {
        const rows = await tx.run(sql, values);
        note(sql, rows);
        return rows;
      },
    },
  };
}
