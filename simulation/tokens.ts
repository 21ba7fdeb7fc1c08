import type { Grant } from '../server/src/banks/bank.ts';

/**
 * How banks give tokens: access tokens that a refresh token renews, which is kept or good for one use, or an access token alone,
 * which lives longer.
 */
export const TOKENS = ['kept', 'single_use', 'none'] as const;

const LIFETIME = Temporal.Duration.from({ hours: 20 });
const LIFETIME_ALONE = Temporal.Duration.from({ hours: 24 * 25 });

/** The tokens of a bank's consents. */
export class Tokens {
  readonly #kind: (typeof TOKENS)[number];
  readonly #now: () => Temporal.Instant;
  /** The latest token of each consent. */
  readonly #latest = new Map<string, number>();

  constructor(kind: (typeof TOKENS)[number], now: () => Temporal.Instant) {
    this.#kind = kind;
    this.#now = now;
  }

  /** The tokens of a consent that its customer has agreed to: earlier ones are over. */
  give(bankConsentId: string): Grant {
    const number = (this.#latest.get(bankConsentId) ?? 0) + 1;
    this.#latest.set(bankConsentId, number);
    const isAlone = this.#kind === 'none';
    return {
      accessToken: `${number} ${bankConsentId}`,
      refreshToken: isAlone ? null : String(number),
      expiresAt: this.#now().add(isAlone ? LIFETIME_ALONE : LIFETIME),
      boundTo: null,
    };
  }

  isOver({ expiresAt }: Grant): boolean {
    return Temporal.Instant.compare(expiresAt, this.#now()) <= 0;
  }

  /** The tokens that take the place of a grant's; null: nothing is left of it. */
  renew({ accessToken, refreshToken }: Grant): Grant | null {
    const [number, bankConsentId = ''] = accessToken.split(' ');
    if (refreshToken === null) return null;
    if (this.#kind === 'kept') return { ...this.give(bankConsentId), refreshToken };
    return Number(number) === this.#latest.get(bankConsentId) ? this.give(bankConsentId) : null;
  }
}

/** The consent that a grant is for. */
export const consentOf = ({ accessToken }: Grant): string => accessToken.split(' ')[1] ?? '';
