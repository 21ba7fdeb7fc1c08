/**
 * The port to the e-money issuer that holds the wallets, whatever its protocol. Amounts are whole pence (`number`, safe
 * integers), instants are `Temporal.Instant`. Every order carries an idempotency key that the issuer keeps for at least a
 * day: within it, repeating the order is harmless and returns the movement as it is now. Later it may be a new order, so look
 * for the movement by its reference first. Every method may throw `IssuerUnavailable` (outcome unknown: retry with the same
 * key) or `IssuerRefused` (a definite refusal).
 */

/** A UK account: sort code of 6 digits, account number of 8 digits, the holder's name. */
export interface AccountDetails {
  sortCode: string;
  accountNumber: string;
  name: string;
}

/** A wallet at the issuer. It has account details from the start, and accepts money only while `open`. */
export interface IssuerWallet {
  issuerWalletId: string;
  status: 'reserved' | 'open' | 'closed';
  /** Our id of the wallet. */
  externalReference: string;
  account: AccountDetails;
  balancePence: number;
}

/** What the issuer needs to know to reserve a wallet. */
export interface WalletReservation {
  idempotencyKey: string;
  externalReference: string;
  holder: { kind: 'person' | 'business'; name: string };
}

/** An order to transfer money from one wallet to another. */
export interface TransferOrder {
  idempotencyKey: string;
  fromIssuerWalletId: string;
  toIssuerWalletId: string;
  /** 1 or more. */
  amountPence: number;
  /** At most 140 characters. */
  reference: string;
}

/** An order to send money from a wallet to an outside account. */
export interface PayoutOrder {
  idempotencyKey: string;
  fromIssuerWalletId: string;
  destination: AccountDetails;
  /** 1 or more. */
  amountPence: number;
  /** 1 to 18 characters, the limit of Faster Payments. */
  reference: string;
}

export type MovementKind = 'transfer' | 'payout' | 'payin' | 'payout_return' | 'payin_recall';

/** Why a movement failed, in the issuer's words: `insufficient_funds`, `invalid_account`, `account_closed` and others. */
export interface MovementError {
  code: string;
  message: string;
}

/**
 * Money that moved, is moving or did not. `settled` and `failed` are final; a failed movement left the money where it was, or
 * returned it. A `pending` one has left its first wallet. A pay-out that comes back after it settled, and a pay-in that is
 * recalled, are separate movements: `payout_return` and `payin_recall`.
 */
export interface Movement {
  movementId: string;
  kind: MovementKind;
  /** null if we did not order it. */
  idempotencyKey: string | null;
  fromIssuerWalletId: string | null;
  toIssuerWalletId: string | null;
  amountPence: number;
  reference: string;
  status: 'pending' | 'settled' | 'failed';
  error: MovementError | null;
  /** Where a payout goes; null for the other kinds. */
  destination: AccountDetails | null;
  /** Where a pay-in came from; null for the other kinds. */
  payer: AccountDetails | null;
  /** The end-to-end id that the sender gave a pay-in; null for the other kinds, and if the issuer does not pass it on. */
  endToEndId: string | null;
  /** The pay-out that came back, or the pay-in that was recalled; null for the other kinds. */
  originalMovementId: string | null;
  createdAt: Temporal.Instant;
  completedAt: Temporal.Instant | null;
}

/** Money that has arrived in a wallet from outside. */
export interface PayIn {
  movementId: string;
  amountPence: number;
  /** null if the issuer does not pass it on. */
  endToEndId: string | null;
  reference: string;
  /** Null if the issuer does not report it. */
  payer: AccountDetails | null;
}

/** A booking on one of our accounts at the issuer: a wallet, or what we owe for recalled pay-ins. */
export interface StatementLine {
  lineId: string;
  issuerWalletId: string;
  /** Our id of the wallet; null for an account that is not one of our wallets. */
  externalReference: string | null;
  direction: 'credit' | 'debit';
  amountPence: number;
  bookedAt: Temporal.Instant;
  movementId: string;
  kind: MovementKind;
  idempotencyKey: string | null;
  reference: string;
}

/** An account's balances; below zero only for what we owe for recalled pay-ins. */
export interface IssuerBalance {
  issuerWalletId: string;
  externalReference: string | null;
  openingPence: number;
  closingPence: number;
  currentPence: number;
}

/** A notification from the issuer. It may arrive twice and out of order; `eventId` is unique. */
export type IssuerNotification = {
  eventId: string;
  at: Temporal.Instant;
  issuerWalletId: string;
  externalReference: string;
} & (
  | { kind: 'payin.received'; payIn: PayIn }
  | { kind: 'movement.changed'; movement: Movement }
  | { kind: 'wallet.changed' }
  | { kind: 'payout.returned' | 'payin.recalled'; movement: Movement; reason: MovementError }
);

export interface Issuer {
  reserveWallet(reservation: WalletReservation): Promise<IssuerWallet>;

  /** Opens a wallet; succeeds if it is open already. Throws `IssuerRefused` `wallet_closed`. */
  openWallet(issuerWalletId: string, idempotencyKey: string): Promise<IssuerWallet>;

  /**
   * Closes an empty wallet or releases a reserved one; succeeds if it is closed already. Throws `IssuerRefused`
   * `wallet_not_empty`.
   */
  closeWallet(issuerWalletId: string, idempotencyKey: string): Promise<void>;

  /** Throws `IssuerRefused` `unknown_wallet`. */
  readWallet(issuerWalletId: string): Promise<IssuerWallet>;

  /**
   * Makes each transfer separately: one that fails does not block the rest. Returns the movements by idempotency key. An
   * order is absent from the result if its key was used before with other content, so that nothing was done, or if its
   * movement could not be read: `findMovement` returns what its key stands for.
   */
  transfer(orders: readonly TransferOrder[]): Promise<Map<string, Movement>>;

  /** Throws `IssuerRefused` `idempotency_conflict`; a pay-out that the issuer cannot make is a failed movement. */
  payOut(order: PayoutOrder): Promise<Movement>;

  /** Returns the movement ordered under this key, or null if the issuer never accepted such an order. */
  findMovement(idempotencyKey: string): Promise<Movement | null>;

  /** Throws `IssuerRefused` `unknown_movement`. */
  readMovement(movementId: string): Promise<Movement>;

  /** Lists every movement into or out of a wallet made at or after `since`, oldest first. */
  listMovements(issuerWalletId: string, since: Temporal.Instant): AsyncIterable<Movement>;

  /** Returns what was ordered from or to a wallet with this reference at or after `since`, oldest first. */
  findByReference(
    issuerWalletId: string,
    reference: string,
    since: Temporal.Instant,
  ): Promise<Movement[]>;

  /** Lists every booking of a London day on all of our accounts, in order; of today, those so far. */
  listStatement(date: Temporal.PlainDate): AsyncIterable<StatementLine>;

  /** Lists the balances of all of our accounts at the beginning and end of a London day, and now. */
  listBalances(date: Temporal.PlainDate): AsyncIterable<IssuerBalance>;

  /** Verifies and parses a raw notification. Throws `IssuerSignatureError` for anything that the issuer did not sign. */
  parseNotification(
    headers: Record<string, string | string[] | undefined>,
    raw: Buffer,
  ): IssuerNotification;
}

/**
 * The outcome is unknown: time-out, connection lost, 5xx, too many requests, our credentials rejected, an unreadable
 * response. Retry with the same idempotency key; never treat it as a failure.
 */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

/** A definite refusal: nothing was done, and `code` says why. */
export class IssuerRefused extends Error {
  override readonly name = 'IssuerRefused';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A notification that the issuer did not sign, or signed too long ago, or that cannot be read. */
export class IssuerSignatureError extends Error {
  override readonly name = 'IssuerSignatureError';
}
