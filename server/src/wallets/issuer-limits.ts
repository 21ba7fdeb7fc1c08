/**
 * What an issuer can do and allows, as data: every connector states it, and the core lives with it. Where an issuer's documents
 * are silent, state the stricter value: a key's life that is stated too short costs a look-up, one stated too long costs money.
 */
export interface IssuerLimits {
  /**
   * How long after the first order under a key a repeat returns that order's movement. After that, a repeat may be a new order.
   * Null: the issuer knows no keys, and every call is a new order.
   */
  keyLifetime: Temporal.Duration | null;

  /** How an order without an answer is found. At least one of the two should be stated. */
  lookUp: {
    /**
     * How long after an order `findMovement` finds its movement by the key; null: never. An issuer that searches only the keys
     * that it still remembers states their lifetime.
     */
    byKey: Temporal.Duration | null;
    /** How long after an order `findByReference` finds its movement by wallet and reference; null: never. */
    byReference: Temporal.Duration | null;
    /**
     * How long after an order was sent its movement may still be missing from what is looked up. At most two minutes: an order
     * without an answer is left alone for that long.
     */
    visibleWithin: Temporal.Duration;
  };

  /** The most transfers that one call of `transfer` may carry: 1 or more. */
  transfersPerCall: number;

  /** The most requests to the issuer's API in any period of this length; a connector keeps them with a `RateLimiter`. */
  rate: { requests: number; per: Temporal.Duration };

  /** Whether a transfer may be answered `pending`, and settle or fail later. */
  transfersMayBePending: boolean;

  /** What a pay-in tells of who sent it. Without our end-to-end id it is recognised by wallet, amount and time. */
  payIns: { carryEndToEndId: boolean; carryPayer: boolean };

  wallets: {
    /** Whether a wallet is first reserved, without accepting money; false: it is open once made. */
    reservedFirst: boolean;
    /** Whether a wallet has its account details in the answer that makes it; false: they may follow. */
    accountAtOnce: boolean;
  };

  /** Whether it asks banks whose name is on an account (Confirmation of Payee). */
  checksPayees: boolean;

  /** Whether a notification that is sent again keeps its `eventId`. */
  eventIdsAreStable: boolean;
}
