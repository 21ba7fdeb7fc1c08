/** The outcome of a payout, determined by its destination account number. */
export interface PayoutPlan {
  /** Sandbox seconds from acceptance to the outcome. */
  secondsToOutcome: number;
  /** Why it fails, or null when it settles. */
  failure: { code: 'invalid_account' | 'account_closed'; message: string } | null;
  /** False if the connection is dropped after the payout was accepted. */
  answers: boolean;
  /** Whether it is returned after it settled. */
  comesBack: boolean;
}

/** The documented payout destinations of the sandbox; every other account number settles in 10 s. */
export const DESTINATIONS = {
  /** Fails as `invalid_account`; the money returns to the wallet. */
  invalidAccount: '99999999',
  /** Accepted, but the connection drops without a response; a retry with the same key gets one. */
  noAnswer: '88888888',
  /** Settles after two hours. */
  slow: '77777777',
  /** A wallet's first payout to it fails as `account_closed`; later ones settle. */
  closedAtFirst: '66666666',
  /** A wallet's first payout to it settles and is returned two days later; later ones are not returned. */
  comesBackAtFirst: '55555555',
} as const;

const USUAL_SECONDS = 10;
const SLOW_SECONDS = 2 * 3_600;

/** Determines the outcome of a payout; `earlierPayouts` counts those from the same wallet to the same account. */
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
