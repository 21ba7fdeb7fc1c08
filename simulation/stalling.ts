import { BankRefused } from '../server/src/banks/bank.ts';
import type { Db } from '../server/src/platform/db/db.ts';
import type { Issuer } from '../server/src/wallets/issuer.ts';

/**
 * The step, counted from 1, at which a process stands still: before a call to the outside or a transaction, or after it, with the
 * answer in hand.
 */
export interface StallPlan {
  step: number;
  after: boolean;
}

/** What returns a list to go through, and no promise. */
const LISTS: ReadonlySet<unknown> = new Set<keyof Issuer>([
  'listMovements',
  'listStatement',
  'listBalances',
]);

/**
 * A process one of whose steps takes minutes or hours: a partner answers late, or the whole process stands still. Others take
 * over meanwhile; then it goes on as if nothing had happened.
 */
export class Stalling {
  /** Null: none of its steps is chosen. */
  readonly plan: StallPlan | null;
  /** Whether it stands still when a bank has just said no: what it knows grows old, and another may be told yes. */
  readonly #stopsAtNo: () => boolean;
  #steps = 0;
  readonly #begun = Promise.withResolvers<void>();
  readonly #released = Promise.withResolvers<void>();
  hasBegun = false;
  /** Only while nobody waits for its answer. */
  isArmed = false;

  constructor(plan: StallPlan | null, stopsAtNo: () => boolean) {
    this.plan = plan;
    this.#stopsAtNo = stopsAtNo;
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
        if (LISTS.has(name)) return value.bind(object);
        return (...args: unknown[]) => this.#step(async () => value.apply(object, args));
      },
    });
  }

  /** Stands between the process and its database: it never stands still within a transaction, where it would hold locks. */
  wrapDb<D extends Db>(db: D): D {
    return {
      ...db,
      transaction: (...args: Parameters<Db['transaction']>) =>
        this.#step(() => db.transaction(...args)),
      forMerchant: (...args: Parameters<Db['forMerchant']>) =>
        this.#step(() => db.forMerchant(...args)),
      read: (...args: Parameters<Db['read']>) => this.#step(() => db.read(...args)),
      snapshot: (...args: Parameters<Db['snapshot']>) => this.#step(() => db.snapshot(...args)),
    };
  }

  async #step<T>(work: () => Promise<T>): Promise<T> {
    if (this.isArmed) this.#steps += 1;
    const isChosen = this.plan !== null && this.#steps >= this.plan.step;
    if (isChosen && this.plan?.after === false) await this.#standStill();
    const [end] = await Promise.allSettled([work()]);
    if (isChosen || (this.#canStop() && isNo(end) && this.#stopsAtNo())) await this.#standStill();
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  }

  #canStop(): boolean {
    return this.isArmed && !this.hasBegun;
  }

  /** Once only. */
  async #standStill(): Promise<void> {
    if (!this.#canStop()) return;
    this.hasBegun = true;
    this.#begun.resolve();
    await this.#released.promise;
  }
}

/** Nothing was paid, for a reason that may pass: the account has not enough, or the payment was refused. */
function isNo(end: PromiseSettledResult<unknown>): boolean {
  if (end.status === 'fulfilled') return end.value === 'not_available';
  return end.reason instanceof BankRefused && end.reason.error.kind === 'retryable';
}
