/**
 * The port to a bank: what the service needs of one, whatever protocol stands behind it. Amounts are whole pence
 * (`number`, safe integers), instants are `Temporal.Instant`. Only `BankUnavailable` means that the outcome is unknown;
 * anything else a method returns or throws is a known outcome. See docs/rules/payments.md#unknown-outcomes.
 */

/** The kind of VRP that the connection to this bank is licensed for; a setting, never a constant. */
export type VrpType =
  | 'UK.OBIE.VRPType.CVRP1'
  | 'UK.OBIE.VRPType.CVRP2'
  | 'UK.OBIE.VRPType.CVRP3'
  | 'UK.OBIE.VRPType.Sweeping'
  | 'UK.OBIE.VRPType.Other';

/** A UK account: sort code of 6 digits, account number of 8 digits, the holder's name. */
export interface AccountDetails {
  sortCode: string;
  accountNumber: string;
  name: string;
}

/** What the customer is asked to allow. The same idempotency key with the same terms makes one consent. */
export interface ConsentRequest {
  /** At most 40 characters. */
  idempotencyKey: string;
  /** The account that every payment goes to. */
  creditor: AccountDetails;
  /** The account that every payment comes from; absent: the customer chooses one at the bank. */
  debtor?: AccountDetails;
  /** The merchant, named because the creditor account is a wallet. */
  ultimateCreditorName: string;
  /** At most 18 characters, which is what Faster Payments carries. */
  reference: string;
  controlParameters: {
    validFrom: Temporal.Instant;
    /** null: no end. */
    validTo: Temporal.Instant | null;
    maximumAmountPence: number;
    periodicLimits: PeriodicLimit[];
  };
  currency: 'GBP';
  /** Only while the customer is present. */
  customerIp?: string;
  customerUserAgent?: string;
}

/** `periodType` is one of Day, Week, Fortnight, Month, Half-year, Year. */
export interface PeriodicLimit {
  periodType: string;
  alignment: 'Consent' | 'Calendar';
  amountPence: number;
}

/**
 * `GONE` is ours: a documented code or a signed answer says that the bank does not hold the consent (it was deleted).
 * `SUSP` is ours too: the consent stands, but needs the customer's renewed authentication.
 */
export type BankConsentStatus = 'AWAU' | 'AUTH' | 'RJCT' | 'CANC' | 'EXPD' | 'GONE' | 'SUSP';

export interface BankConsent {
  bankConsentId: string;
  status: BankConsentStatus;
  /** The bank's reason code, for instance TKSP. */
  reason: string | null;
  /** The account that the customer chose, once known. */
  debtor: AccountDetails | null;
  /** The limits that the bank applies now; the customer may have changed them there. Null where it does not say. */
  limits: BankLimits | null;
}

/** The limits of a consent as its bank reports them; what is absent was not reported. */
export interface BankLimits {
  validFrom?: Temporal.Instant;
  validTo?: Temporal.Instant;
  maximumAmountPence?: number;
  periodicLimits?: PeriodicLimit[];
}

/** A consent just made, and the opaque text that every payment under it must bring back unchanged. */
export type CreatedConsent = BankConsent & { initiation: string };

/** The right to act under a consent. `expiresAt` is of the real clock, not of the sandbox's. Keep it encrypted. */
export interface Grant {
  accessToken: string;
  refreshToken: string | null;
  expiresAt: Temporal.Instant;
}

/** One attempt to collect. A new attempt has a new key, instruction id and end-to-end id. */
export interface PaymentRequest {
  /** At most 40 characters. */
  idempotencyKey: string;
  bankConsentId: string;
  /** What `createConsent` returned. */
  initiation: string;
  /** At most 35 characters. */
  instructionId: string;
  /** At most 31 characters. */
  endToEndId: string;
  amountPence: number;
  currency: 'GBP';
}

/**
 * Where a payment stands. `credited` means that the money is on the creditor account; a payment that has only left
 * the customer's account is still `pending`.
 */
export type PaymentReport = { bankPaymentId: string; bankStatus: string } & (
  | { outcome: 'pending' }
  | { outcome: 'credited' }
  | { outcome: 'failed'; error: PaymentError }
);

/** The ISO 20022 statuses of a payment that the bank has debited: its money arrives, or is returned. */
export const DEBITED_STATUSES: readonly string[] = ['ACSC', 'ACWP', 'ACCC'];

/** Whether a bank that reports this status has debited the customer. */
export const isDebited = (bankStatus: string): boolean => DEBITED_STATUSES.includes(bankStatus);

/** A payment as it stands in the bank's books, with the names that its order carried. */
export type PaymentRead = PaymentReport & { bankConsentId: string; instructionId: string };

/** Our stable codes for why a payment or a consent was refused; merchants see them. */
export type PaymentErrorCode =
  | 'insufficient_funds'
  | 'account_closed'
  | 'invalid_account'
  | 'blocked'
  | 'bank_limit'
  | 'limit_exceeded'
  | 'consent_revoked'
  | 'consent_expired'
  | 'reauthentication_required'
  | 'creditor_account_unavailable'
  | 'duplicate'
  | 'technical'
  | 'rejected';

/**
 * `retryable`: a later attempt may work. `final`: no attempt with these terms will. `consent_gone`: the bank says that
 * the consent is over. That ends nothing on its own: the consent is read, and again an hour later.
 */
export interface PaymentError {
  code: PaymentErrorCode;
  /** A plain sentence that may be shown to the merchant. */
  message: string;
  kind: 'retryable' | 'final' | 'consent_gone';
  /** What the bank said, as it said it. */
  bankCode: string;
}

/** Something at the bank has changed. A hint only: read the resource again. `jti` is unique per bank. */
export interface BankNotification {
  jti: string;
  resources: { kind: 'consent' | 'payment'; id: string }[];
}

export interface Bank {
  readonly bankId: string;
  readonly name: string;

  /** Throws `BankRefused` when the bank will not hold such a consent. */
  createConsent(request: ConsentRequest): Promise<CreatedConsent>;

  /** Where to send the customer's browser. `state` and `nonce` are unguessable and used once. */
  authorisationUrl(i: {
    bankConsentId: string;
    state: string;
    nonce: string;
    redirectUri: string;
  }): Promise<string>;

  /**
   * Takes the URL fragment (without `#`) that the customer's browser came back with. Throws `AuthorisationDenied`
   * when the customer said no, `AuthorisationInvalid` when any check of the answer fails.
   */
  completeAuthorisation(i: {
    bankConsentId: string;
    state: string;
    nonce: string;
    redirectUri: string;
    fragment: string;
  }): Promise<Grant>;

  /**
   * Status `GONE` needs proof (see there). Throws `BankUnavailable` for anything that proves nothing, as a bare HTTP error.
   */
  readConsent(bankConsentId: string): Promise<BankConsent>;

  /** Succeeds where the bank proves that the consent is deleted or over. Throws for anything else: repeat it. */
  deleteConsent(bankConsentId: string): Promise<void>;

  /**
   * A new grant when this one is about to end, else the same object. Throws `BankRefused`
   * (`reauthentication_required`) when the bank will not renew it.
   */
  refresh(grant: Grant): Promise<Grant>;

  /**
   * A snapshot, not a hold. Throws `BankRefused` when the consent does not allow the question, and (`technical`,
   * retryable) for an HTTP error without a documented code.
   */
  confirmFunds(
    grant: Grant,
    bankConsentId: string,
    amountPence: number,
  ): Promise<'available' | 'not_available'>;

  /**
   * Sends one attempt; the same key and request again gets the same payment. Throws `BankRefused` when a documented
   * code says that no payment was made, `BankUnavailable` when it is not known whether one was made: an HTTP error
   * without such a code, whatever its status, is one of these. With `notSent`, the order never left, so none was made.
   */
  submitPayment(grant: Grant, request: PaymentRequest): Promise<PaymentReport>;

  readPayment(bankPaymentId: string): Promise<PaymentRead>;

  /** Checks a notification that was pushed to us. Throws `NotificationInvalid` for anything the bank did not sign. */
  verifyNotification(jwt: string): Promise<BankNotification>;
}

/**
 * The outcome is not known: time-out, connection lost, 5xx, too many requests, an answer that cannot be trusted or
 * read. Ask again with the same idempotency key; never take it for a failure.
 */
export class BankUnavailable extends Error {
  override readonly name = 'BankUnavailable';
  /** How long the bank asked us to wait, in seconds. */
  readonly retryAfterSeconds: number | null;
  /** The bank did not take the customer's token: the consent is to be read, it may be over. */
  readonly asksForConsent: boolean;
  /** The request provably never left: name not found, connection refused, TLS handshake failed, no connection free in time. */
  readonly notSent: boolean;

  constructor(
    message: string,
    options: {
      cause?: unknown;
      retryAfterSeconds?: number | null;
      asksForConsent?: boolean;
      notSent?: boolean;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.asksForConsent = options.asksForConsent ?? false;
    this.notSent = options.notSent ?? false;
  }
}

/** A known no. */
export class BankRefused extends Error {
  override readonly name = 'BankRefused';
  readonly error: PaymentError;

  constructor(error: PaymentError) {
    super(`the bank refused: ${error.code} (${error.bankCode})`);
    this.error = error;
  }
}

/** The bank found our request wrong (or we did before sending it). Nothing was done; people must look at it. */
export class BankDefect extends Error {
  override readonly name = 'BankDefect';
  readonly bankCode: string;

  constructor(message: string, bankCode: string, cause?: unknown) {
    super(message, { cause });
    this.bankCode = bankCode;
  }
}

/** The customer said no at the bank. */
export class AuthorisationDenied extends Error {
  override readonly name = 'AuthorisationDenied';
}

/** What came back from the bank by way of the browser does not hold: forged, mixed up, replayed or too late. */
export class AuthorisationInvalid extends Error {
  override readonly name = 'AuthorisationInvalid';
}

/** A pushed notification that this bank did not sign, or not for us. */
export class NotificationInvalid extends Error {
  override readonly name = 'NotificationInvalid';
}
