/** What this process has seen of a partner. Times are in milliseconds of one clock. */
export interface Seen {
  answeredAt: number | null;
  failedAt: number | null;
  /** Calls without an answer since the last answer. */
  failuresInARow: number;
}

/** A refusal is an answer too. */
const WITHOUT_ANSWER = new Set(['no_answer', 'not_sent']);

/** Remembers how the latest calls to each partner ended. It takes a few numbers for each, however many calls there are. */
export class RecentCalls {
  readonly #byPartner = new Map<string, Seen>();

  /** Notes how a call ended: an outcome of `recollect_bank_calls_total` or `recollect_issuer_calls_total`. */
  note(partner: string, outcome: string, atMs: number): void {
    const seen = this.of(partner);
    const failed = WITHOUT_ANSWER.has(outcome);
    this.#byPartner.set(
      partner,
      failed
        ? { ...seen, failedAt: atMs, failuresInARow: seen.failuresInARow + 1 }
        : { ...seen, answeredAt: atMs, failuresInARow: 0 },
    );
  }

  of(partner: string): Seen {
    return this.#byPartner.get(partner) ?? { answeredAt: null, failedAt: null, failuresInARow: 0 };
  }
}
