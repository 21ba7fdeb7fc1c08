/** What this process has seen of a partner. Times are in milliseconds of one clock. */
export interface CallSummary {
  answeredAt: number | null;
  failedAt: number | null;
  /** Calls without an answer since the last answer. */
  failuresInARow: number;
}

/** One lost connection is nothing: so many calls in a row without an answer make a partner silent. */
export const SILENT_AFTER = 3;
/** A refusal is an answer too. */
const WITHOUT_ANSWER = new Set(['no_answer', 'not_sent']);

/** Remembers how the latest calls to each partner ended. It takes a few numbers for each, however many calls there are. */
export class RecentCalls {
  readonly #byPartner = new Map<string, CallSummary>();

  /**
   * Notes how a call ended: an outcome of `recollect_bank_calls_total` or `recollect_issuer_calls_total`. Returns whether the
   * partner has become silent with it, or answers again; null: neither.
   */
  note(partner: string, outcome: string, atMs: number): 'silent' | 'answers_again' | null {
    const seen = this.of(partner);
    const failed = WITHOUT_ANSWER.has(outcome);
    this.#byPartner.set(
      partner,
      failed
        ? { ...seen, failedAt: atMs, failuresInARow: seen.failuresInARow + 1 }
        : { ...seen, answeredAt: atMs, failuresInARow: 0 },
    );
    if (failed) return seen.failuresInARow + 1 === SILENT_AFTER ? 'silent' : null;
    return seen.failuresInARow >= SILENT_AFTER ? 'answers_again' : null;
  }

  of(partner: string): CallSummary {
    return this.#byPartner.get(partner) ?? { answeredAt: null, failedAt: null, failuresInARow: 0 };
  }
}
