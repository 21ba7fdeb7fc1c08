import { realNow } from '../platform/time/clock.ts';
import { IssuerUnavailable } from './issuer.ts';
import type { IssuerLimits } from './issuer-limits.ts';

/** The longest that a request waits for its turn. Stages hold leases meanwhile, so a longer wait is left to the next claim. */
const LONGEST_WAIT_MS = 10_000;

/** The share of the issuer's rate that we use: the network delays some requests, and brings them closer together. */
const SHARE = 0.95;

/**
 * Keeps the requests of this process to one issuer within a rate, in any period of that length. Several processes share an
 * issuer's limit.
 */
export class RateLimiter {
  readonly #periodMs: number;
  /** When the latest turns came, as a ring: the next turn overwrites the oldest. */
  readonly #turns: Float64Array;
  #next = 0;

  constructor({ requests, per }: IssuerLimits['rate']) {
    this.#periodMs = per.total('milliseconds');
    this.#turns = new Float64Array(Math.max(1, Math.floor(requests * SHARE))).fill(-Infinity);
  }

  /** Resolves when a request may be sent. Throws IssuerUnavailable, not sent, if that is more than ten seconds away. */
  async turn(): Promise<void> {
    const now = realNow().epochMilliseconds;
    const oldest = this.#turns[this.#next] ?? -Infinity;
    const wait = Math.max(0, oldest + this.#periodMs - now);
    if (wait > LONGEST_WAIT_MS)
      throw new IssuerUnavailable("our requests have reached the issuer's rate limit", {
        notSent: true,
      });
    this.#turns[this.#next] = now + wait;
    this.#next = (this.#next + 1) % this.#turns.length;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
