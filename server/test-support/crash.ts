import type { Bank } from '../src/banks/bank.ts';
import type { Db, SqlValue, Tx } from '../src/platform/db/db.ts';
import type { Issuer } from '../src/wallets/issuer.ts';
import type { Wrap } from './harness.ts';

/** The error that every call of a crashed process throws. */
export class Dead extends Error {
  override readonly name = 'Dead';
}

/** What counts as a step: every transaction that changed something, or every single statement. Calls always count. */
export type Unit = 'transaction' | 'statement';

/** A process that crashes at its n-th step, before or after the step has taken effect. */
export class Doomed {
  #left: number;
  readonly #after: boolean;
  readonly #unit: Unit;
  isDead = false;

  constructor(step: number, after: boolean, unit: Unit = 'transaction') {
    this.#left = step;
    this.#after = after;
    this.#unit = unit;
  }

  #live(): void {
    if (this.isDead) throw new Dead('this process is dead');
  }

  /** Counts a step; returns true at the step to crash at, or at the first one after it if that one failed on its own. */
  #isLast(): boolean {
    this.#left -= 1;
    return this.#left <= 0;
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

  /**
   * A crash before a transaction's end rolls it back, and so does a crash at one of its statements. If transactions are the
   * steps, only those that changed something count.
   */
  async #transaction<T>(
    begin: (work: (tx: Tx) => Promise<T>) => Promise<T>,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    this.#live();
    let isLast = false;
    const result = await begin(async (tx) => {
      const watched = watch(this.#mortal(tx));
      const done = await work(watched.tx);
      this.#live(); // the error of the crash was swallowed
      isLast = (this.#unit === 'statement' || watched.hasChanged()) && this.#isLast();
      if (isLast && !this.#after) this.#die();
      return done;
    });
    if (isLast) this.#die();
    return result;
  }

  #mortal(tx: Tx): Tx {
    if (this.#unit !== 'statement') return tx;
    return {
      ...tx,
      rows: (sql, values) => this.#call(() => tx.rows(sql, values)),
      row: (sql, values) => this.#call(() => tx.row(sql, values)),
      run: (sql, values) => this.#call(() => tx.run(sql, values)),
      insert: (sql, values) => this.#call(() => tx.insert(sql, values)),
      unawaited: (work) => tx.unawaited(work),
    };
  }

  /** Wraps a process's database, bank and issuer: each transaction and each call is a step. */
  readonly wrap: Required<Wrap> = {
    db: (db: Db): Db => ({
      ...db,
      transaction: (work) => this.#transaction((begun) => db.transaction(begun), work),
      forMerchant: (id, work) => this.#transaction((begun) => db.forMerchant(id, begun), work),
      read: async (work) => {
        this.#live();
        return db.read((tx) => work(this.#mortal(tx)));
      },
    }),
    bank: (bank: Bank): Bank => this.proxy(bank),
    issuer: (issuer: Issuer): Issuer => this.proxy(issuer),
  };

  /** Wraps a partner: each call is a step. */
  proxy<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== 'function') return value;
        if (LISTS.has(name))
          return (...args: unknown[]) => {
            this.#live();
            return value.apply(object, args);
          };
        return (...args: unknown[]) => this.#call(async () => value.apply(object, args));
      },
    });
  }
}

/** Calls that return a list to be read in parts, not a promise. */
const LISTS: ReadonlySet<string | symbol> = new Set([
  'listMovements',
  'listStatement',
  'listBalances',
]);

/** Returns a transaction that records whether one of its statements changed a row. */
function watch(tx: Tx): { tx: Tx; hasChanged: () => boolean } {
  let changed = false;
  const note = (sql: string, rows: number): void => {
    if (rows > 0 && !/^\s*SELECT/i.test(sql)) changed = true;
  };
  return {
    hasChanged: () => changed,
    tx: {
      ...tx,
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
      insert: async (sql, values) => {
        await tx.insert(sql, values);
        note(sql, 1);
      },
      unawaited: (work) => tx.unawaited(work),
    },
  };
}
