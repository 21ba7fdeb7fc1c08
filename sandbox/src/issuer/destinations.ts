/** What becomes of a payout, by the account number it goes to. */
export interface PayoutPlan {
  /** Sandbox seconds from acceptance to the outcome. */
  secondsToOutcome: number;
  /** Why it fails, or null when it settles. */
  failure: { code: 'invalid_account' | 'account_closed'; message: string } | null;
  /** False where the connection is dropped after the payout was taken. */
  answers: boolean;
  /** Whether it comes back after it settled. */
  comesBack: boolean;
}

/** The documented payout destinations of the sandbox; every other account number settles in 10 s. */
export const DESTINATIONS = {
  /** Fails as `invalid_account`; the money returns to the wallet. */
  invalidAccount: '99999999',
  /** Is taken, but the connection drops without an answer; the same key answers later. */
  noAnswer: '88888888',
  /** Settles only after two hours. */
  slow: '77777777',
  /** The first payout of a wallet to it fails as `account_closed`; later ones settle. */
  closedAtFirst: '66666666',
  /** The first payout of a wallet to it settles and comes back two days later; later ones stay. */
  comesBackAtFirst: '55555555',
} as const;

const USUAL_SECONDS = 10;
const SLOW_SECONDS = 2 * 3_600;

/** Decides over a payout; `earlierPayouts` counts those of the same wallet to the same account. */
export function planPayout(accountNumber: string, earlierPayouts: number): PayoutPlan {
  const plan: PayoutPlan = {
    secondsToOutcome: USUAL_SECONDS,
    failure: null,
    answers: true,
    comesBack: false,
  };
  switch (accountNumber) {
    case DESTINATIONS.invalidAccount: {
      const message = 'The destination account does not exist';
      return { ...plan, failure: { code: 'invalid_account', message } };
    }
    case DESTINATIONS.noAnswer:
      return { ...plan, answers: false };
    case DESTINATIONS.slow:
      return { ...plan, secondsToOutcome: SLOW_SECONDS };
    case DESTINATIONS.closedAtFirst: {
      if (earlierPayouts > 0) return plan;
      const message = 'The destination account is closed';
      return { ...plan, failure: { code: 'account_closed', message } };
    }
    case DESTINATIONS.comesBackAtFirst:
      return { ...plan, comesBack: earlierPayouts === 0 };
    default:
      return plan;
  }
}
