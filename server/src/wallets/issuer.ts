import type { PayeeAnswer } from '../merchants/settlement-account/payee-check.ts';
import type { IssuerLimits } from './issuer-limits.ts';

/**
 * The port to the e-money issuer that holds the wallets, whatever its protocol. Amounts are whole pence (`number`, safe
 * integers), instants are `Temporal.Instant`. Every order carries an idempotency key. What the issuer makes of it, and what else
 * differs between issuers, its `limits` state; `wallets/orders.ts` sends and repeats every order accordingly. Every method may
 * throw `IssuerUnavailable` (outcome unknown) or `IssuerRefused` (a definite refusal).
 *
 * Our names fit most issuers' fields: an idempotency key has at most 50 characters of `[A-Za-z0-9_-]`, the external reference of
 * a wallet at most 64 of `[A-Za-z0-9_/-]`. A connector maps what does not fit, and maps it back.
 */

/** A UK account: sort code of 6 digits, account number of 8 digits, the holder's name. */
export interface AccountDetails {
  sortCode: string;
  accountNumber: string;
  name: string;
}

/** A wallet at the issuer. It accepts money only while `open`. */
export interface IssuerWallet {
  issuerWalletId: string;
  status: 'reserved' | 'open' | 'closed';
  /** Our id of the wallet. */
  externalReference: string;
  /** Null: the issuer has not assigned them yet (`limits.wallets.accountAtOnce` is false). */
  account: AccountDetails | null;
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
  /** Null: it has not ended, or the issuer does not say when. */
  completedAt: Temporal.Instant | null;
}

/** Money that has arrived in a wallet from outside. What the issuer does not pass on of who sent it is null. */
export type PayIn = Pick<
  Movement,
  'movementId' | 'amountPence' | 'endToEndId' | 'reference' | 'payer'
>;

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

/** An account's balance; below zero only for what we owe for recalled pay-ins. */
export interface IssuerBalance {
  issuerWalletId: string;
  externalReference: string | null;
  currentPence: number;
}

/**
 * A notification from the issuer. It may arrive twice and out of order. `eventId` tells repeats apart where
 * `limits.eventIdsAreStable`; otherwise a repeat may have an id of its own, and the movement's id tells.
 */
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
  /** What this issuer can do and allows. May change while the service runs: read it at each use. */
  readonly limits: IssuerLimits;

  /** Reserves a wallet. Where `limits.wallets.reservedFirst` is false, it is open at once. */
  reserveWallet(reservation: WalletReservation): Promise<IssuerWallet>;

  /**
   * Finds the wallet made with this external reference, whenever that was; null: there is none. Of several, an open one, then
   * the oldest.
   */
  findWallet(externalReference: string): Promise<IssuerWallet | null>;

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
   * Makes at most `limits.transfersPerCall` transfers, each separately: one that fails does not block the rest. Returns the
   * movements by idempotency key; a repeat within the key's life returns the first order's movement, as it was then or as it is
   * now. An order is absent from the result if its key was used before with other content, so that nothing was done, or if its
   * outcome is unknown, such as a movement that could not be read.
   */
  transfer(orders: readonly TransferOrder[]): Promise<Map<string, Movement>>;

  /**
   * Orders a pay-out; a repeat within the key's life returns the first order's movement. A pay-out that the issuer cannot make
   * is a failed movement. Throws `IssuerRefused` `idempotency_conflict`.
   */
  payOut(order: PayoutOrder): Promise<Movement>;

  /**
   * Asks the account's bank whether the name is its holder's (Confirmation of Payee), before money goes there from the wallet.
   * Called only where `limits.checksPayees`. The holder's name comes with a close match alone. A check is no order: it may be
   * repeated.
   */
  checkPayee(account: AccountDetails, fromIssuerWalletId: string): Promise<PayeeAnswer>;

  /**
   * Returns the movement ordered under this key; null: there is none. That proves that no such order was accepted only within
   * `limits.lookUp.byKey` of the order.
   */
  findMovement(idempotencyKey: string): Promise<Movement | null>;

  /** Throws `IssuerRefused` `unknown_movement`. */
  readMovement(movementId: string): Promise<Movement>;

  /** Lists every movement into or out of a wallet made at or after `since`, oldest first. */
  listMovements(issuerWalletId: string, since: Temporal.Instant): AsyncIterable<Movement>;

  /**
   * Returns what was ordered from a wallet with this reference at or after `since`, oldest first. Complete for orders
   * within `limits.lookUp.byReference`.
   */
  findByReference(
    issuerWalletId: string,
    reference: string,
    since: Temporal.Instant,
  ): Promise<Movement[]>;

  /** Lists every booking of a London day on all of our accounts, in order; of today, those so far. */
  listStatement(date: Temporal.PlainDate): AsyncIterable<StatementLine>;

  /** Lists what all of our accounts hold now. `today`: the London day that it is, which some issuers ask for. */
  listBalances(today: Temporal.PlainDate): AsyncIterable<IssuerBalance>;

  /**
   * Verifies and parses a raw notification; null: genuine, and of no interest to us. May ask the issuer for what the notification
   * leaves out. Throws `IssuerSignatureError` for anything that the issuer did not sign.
   */
  parseNotification(
    headers: Record<string, string | string[] | undefined>,
    raw: Buffer,
  ): Promise<IssuerNotification | null>;
}

/**
 * The outcome is unknown: time-out, connection lost, 5xx, too many requests, our credentials rejected, an unreadable response.
 * Never treat it as a failure. `notSent`: the request provably never left us.
 */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
  readonly notSent: boolean;

  constructor(message: string, options: ErrorOptions & { notSent?: boolean } = {}) {
    super(message, options);
    this.notSent = options.notSent ?? false;
  }
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
