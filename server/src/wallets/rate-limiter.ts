import pThrottle from 'p-throttle';
import { IssuerUnavailable } from './issuer.ts';
import type { IssuerLimits } from './issuer-limits.ts';

/** The longest that a request waits for its turn. Stages hold leases meanwhile, so a longer wait is left to the next claim. */
const LONGEST_WAIT = Temporal.Duration.from({ seconds: 10 });

/** The share of the issuer's rate that we use: the network delays some requests, and brings them closer together. */
const SHARE = 0.95;

/**
 * Keeps the requests of this process to one issuer within a rate, in any period of that length. Several processes share an
 * issuer's limit.
 */
export class RateLimiter {
  readonly #throttled: ReturnType<ReturnType<typeof pThrottle>>;
  readonly #mostWaiting: number;

  constructor({ requests, per }: IssuerLimits['rate']) {
    const interval = per.total('milliseconds');
    const limit = Math.max(1, Math.floor(requests * SHARE));
    this.#throttled = pThrottle({ limit, interval, strict: true })(() => undefined);
    this.#mostWaiting = (limit * LONGEST_WAIT.total('milliseconds')) / interval;
  }

  /** Resolves when a request may be sent. Throws IssuerUnavailable, not sent, if so many wait that it would take too long. */
  async turn(): Promise<void> {
    if (this.#throttled.queueSize >= this.#mostWaiting)
      throw new IssuerUnavailable("our requests have reached the issuer's rate limit", {
        notSent: true,
      });
    await this.#throttled();
  }
}
