import type { Halt } from '../platform/engine/stage.ts';
import type { Clock } from '../platform/time/clock.ts';
import { elapsedMs, isBefore } from '../platform/values/instants.ts';
import { type Bank, BankUnavailable } from './bank.ts';

/** The longest wait that we accept: a bank that asks for more is called again after an hour. */
const LONGEST_SECONDS = 3600;

/**
 * How long after the last time to record a call the call may still be made: the later calls of a batch wait for the earlier ones.
 */
const LATEST_CALL_MS = 90_000;

/** Returns a function that gives each bank its own call budget, for one batch of calls to several banks. */
export function callBudgets(
  clock: Clock,
  until: Temporal.Instant,
  banks: ReadonlyMap<string, Bank>,
): (bankId: string) => CallBudget {
  const budgets = new Map<string, CallBudget>();
  return (bankId) => {
    const budget = budgets.get(bankId) ?? new CallBudget(clock, until, { bank: banks.get(bankId) });
    budgets.set(bankId, budget);
    return budget;
  };
}

/**
 * Limits the calls of one batch to one bank: none after the end of the lease, when another process may make them, and none while
 * the bank asks us to back off (`Retry-After`), or says that it takes no more (`RateLimit`).
 */
export class CallBudget {
  readonly #clock: Clock;
  readonly #until: Temporal.Instant;
  readonly #halt: Halt | undefined;
  readonly #bank: Bank | undefined;
  #restsUntil: Temporal.Instant | null = null;

  /** `until`: the last time at which a call may begin and still end within the lease. `halt`: no call begins once it is set. */
  constructor(
    clock: Clock,
    until: Temporal.Instant,
    { bank, halt }: { bank?: Bank | undefined; halt?: Halt } = {},
  ) {
    this.#clock = clock;
    this.#until = until;
    this.#halt = halt;
    this.#bank = bank;
  }

  /** Whether a call may still begin; the rest is left to the next claim. */
  hasTime(): boolean {
    if (this.#halt?.isHalted === true) return false;
    return isBefore(this.#clock.now(), this.#until);
  }

  /**
   * Whether a recorded call may still be made. A process that was suspended since then has lost its lease: another may have ended
   * the attempt and begun the next.
   */
  mayStillCall(): boolean {
    return elapsedMs(this.#until, this.#clock.now()) < LATEST_CALL_MS;
  }

  /** Until when the bank asked us to back off; null if it did not. */
  get restsUntil(): Temporal.Instant | null {
    const seconds = this.#bank?.restSeconds ?? 0;
    if (seconds > 0) this.#rest(seconds);
    return this.#restsUntil;
  }

  /** Applies a `Retry-After` from the error of a call. */
  heed(error: unknown): void {
    if (!(error instanceof BankUnavailable) || error.retryAfterSeconds === null) return;
    this.#rest(error.retryAfterSeconds);
  }

  #rest(seconds: number): void {
    this.#restsUntil = this.#clock.now().add({ seconds: Math.min(seconds, LONGEST_SECONDS) });
  }
}
