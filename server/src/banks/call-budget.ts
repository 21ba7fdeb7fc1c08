import type { Clock } from '../platform/clock.ts';
import { BankUnavailable } from './bank.ts';

/** A bank that asks for longer is asked again after an hour anyway. */
const LONGEST_SECONDS = 3600;

/** So long after the last moment at which a call is noted it may be made: a batch is more than its first calls. */
const LATEST_CALL = Temporal.Duration.from({ seconds: 90 });

/** Returns the call budget of a bank, one for each: for a batch of calls to several banks. */
export function callBudgets(clock: Clock, until: Temporal.Instant): (bankId: string) => CallBudget {
  const budgets = new Map<string, CallBudget>();
  return (bankId) => {
    const budget = budgets.get(bankId) ?? new CallBudget(clock, until);
    budgets.set(bankId, budget);
    return budget;
  };
}

/**
 * Limits the calls of one batch to one bank: none after the end of the lease, when another process may make them, and none
 * while the bank asks to be left alone (`Retry-After`).
 */
export class CallBudget {
  readonly #clock: Clock;
  readonly #until: Temporal.Instant;
  #restsUntil: Temporal.Instant | null = null;

  /** `until`: the last moment at which a call may begin and still end within the lease. */
  constructor(clock: Clock, until: Temporal.Instant) {
    this.#clock = clock;
    this.#until = until;
  }

  /** Whether a call may still begin; what is not begun is left to the next claim. */
  hasTime(): boolean {
    return Temporal.Instant.compare(this.#clock.now(), this.#until) < 0;
  }

  /**
   * Whether a call that was noted may still be made. A process that stood still since then has lost its lease: another may have
   * ended the attempt, and begun the next.
   */
  mayStillCall(): boolean {
    return Temporal.Instant.compare(this.#clock.now(), this.#until.add(LATEST_CALL)) < 0;
  }

  /** Until when the bank is to be left alone; null where it did not ask for that. */
  get restsUntil(): Temporal.Instant | null {
    return this.#restsUntil;
  }

  /** Heeds a `Retry-After` in the error of a call. */
  heed(error: unknown): void {
    if (!(error instanceof BankUnavailable) || error.retryAfterSeconds === null) return;
    const seconds = Math.min(error.retryAfterSeconds, LONGEST_SECONDS);
    this.#restsUntil = this.#clock.now().add({ seconds });
  }
}
