import { type Partners, type Service, wireService } from '../server/src/app/service.ts';
import { type Bank, BankUnavailable } from '../server/src/banks/bank.ts';
import type { Platform } from '../server/src/platform/platform.ts';
import { IssuerUnavailable } from '../server/src/wallets/issuer.ts';
import { Dead, Doomed } from '../server/test-support/crash.ts';
import type { Troubles } from './troubles.ts';

const TWO_AT_ONCE = 0.1;
const MOST_STEPS = 40;
const MOST_TURNS = 1000;

/** What ends a turn of a stage, and no more: a partner is silent, or the process died. */
function isExpected(error: unknown): boolean {
  return (
    error instanceof BankUnavailable || error instanceof IssuerUnavailable || error instanceof Dead
  );
}

/** The processes of the service on one database: they die at any step, another takes over; now and then two work at once. */
export class Processes {
  readonly #platform: Platform;
  readonly #partners: Partners;
  readonly #troubles: Troubles;
  readonly #second: Service;
  #current: Service;
  #doomed: Doomed | null = null;

  constructor(platform: Platform, partners: Partners, troubles: Troubles) {
    this.#platform = platform;
    this.#partners = partners;
    this.#troubles = troubles;
    this.#second = wireService(platform, partners);
    this.#current = wireService(platform, partners);
  }

  /** The process that answers now. */
  get current(): Service {
    return this.#current;
  }

  /** From now on the process has only so many steps to live: transactions and calls to the outside. */
  doom(name: string): void {
    if (this.#doomed !== null) return;
    const { chance, history } = this.#troubles;
    const step = chance.whole(1, MOST_STEPS, 'crash', name);
    const after = chance.happens(0.5, 'crash', name, 'after');
    history.note('crash', name, 'in', step, after ? 'after' : 'before');
    this.#doomed = new Doomed(step, after);
    const { db, bank, issuer } = this.#doomed.wrap;
    const banks = new Map<string, Bank>();
    for (const [id, each] of this.#partners.banks) banks.set(id, bank?.(each) ?? each);
    this.#current = wireService(
      { ...this.#platform, db: db?.(this.#platform.db) ?? this.#platform.db },
      {
        ...this.#partners,
        banks,
        issuer: issuer?.(this.#partners.issuer) ?? this.#partners.issuer,
      },
    );
  }

  /** What somebody asks of the process that answers; false: it died over it. */
  async ask(work: (service: Service) => Promise<void>): Promise<boolean> {
    try {
      await work(this.#current);
    } catch (error) {
      if (this.#doomed?.isDead !== true) throw error;
    }
    return !this.#bury();
  }

  /**
   * Does what is due now. A partner that does not answer ends a stage's turn, which the engine begins anew; what it had
   * claimed is not due again before its lease is over.
   */
  async drain(): Promise<void> {
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const { chance, now } = this.#troubles;
      const areTwo = chance.happens(TWO_AT_ONCE, 'two processes', now().toString(), turn);
      const all = areTwo ? [this.#current, this.#second] : [this.#current];
      const ended = await Promise.allSettled(all.map((service) => service.engine.drain()));
      const isDead = this.#bury();
      const errors = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      const unexpected = errors.find((error) => !isExpected(error));
      if (unexpected !== undefined) throw unexpected;
      if (errors.length === 0 && !isDead) return;
    }
    throw new Error('the engine does not come to an end');
  }

  /** Another process takes the place of a dead one. */
  #bury(): boolean {
    if (this.#doomed?.isDead !== true) return false;
    this.#troubles.history.note('crash', 'died');
    this.#troubles.history.count('crash');
    this.#doomed = null;
    this.#current = wireService(this.#platform, this.#partners);
    return true;
  }
}
