/**
 * The port to a bank: what the service needs of it, whatever the protocol behind it. Amounts are whole pence (`number`, safe
 * integers), times are `Temporal.Instant`. Only `BankUnavailable` means that the outcome is unknown; anything else that a method
 * returns or throws is a known outcome. See docs/rules/payments.md#unknown-outcomes.
 */

import type { FundsCheck } from './funds-check.ts';
import type { SignedAnswer } from './signed-answer.ts';

/** The kind of VRP that this bank connection is licensed for; a setting, never a constant. */
export type VrpType =
  | 'UK.OBIE.VRPType.CVRP1'
  | 'UK.OBIE.VRPType.CVRP2'
  | 'UK.OBIE.VRPType.CVRP3'
  | 'UK.OBIE.VRPType.Sweeping'
  | 'UK.OBIE.VRPType.Other';

/** A UK account: 6-digit sort code, 8-digit account number, the holder's name. */
export interface AccountDetails {
  sortCode: string;
  accountNumber: string;
  name: string;
}

/** The consent to request from the customer. The same idempotency key with the same terms creates one consent. */
export interface ConsentRequest {
  /** At most 40 characters. */
  idempotencyKey: string;
  /** The account that receives every payment. */
  creditor: AccountDetails;
  /** The account that makes every payment; absent: the customer chooses one at the bank. Only where a bank `namesPayer`. */
  debtor?: AccountDetails;
  /** The merchant; named because the creditor account is a wallet. */
  ultimateCreditorName: string;
  /** The customer with this merchant: an id of ours, the same in every consent. */
  customerReference: string;
  /** At most 18 characters, the limit of Faster Payments. */
  reference: string;
  /** What the scheme knows of the merchant. */
  merchant?: MerchantFacts;
  /** Only where a bank `needsContact`. */
  contact?: CustomerContact;
  controlParameters: {
    validFrom: Temporal.Instant;
    /** Null: no end. */
    validTo: Temporal.Instant | null;
    maximumAmountPence: number;
    periodicLimits: PeriodicLimit[];
  };
  currency: 'GBP';
  /** Only while the customer is present. */
  customerIp?: string;
  customerUserAgent?: string;
}

/** Who the customer is, as the merchant knows them: by one of email address and phone number (E.164) at least. */
export interface CustomerContact {
  name: string;
  email: string | null;
  phone: string | null;
}

/** What the scheme knows of a merchant; a connector passes on what its protocol has a field for. */
export interface MerchantFacts {
  /** What it sells (ISO 18245); null: not said. */
  categoryCode: string | null;
  /** When it is paid: on its own schedule, before what it supplies, or after it. */
  paymentContext: 'merchant_initiated' | 'billing_in_advance' | 'billing_in_arrears';
  /** What the money is for (ISO 20022); null: not said. */
  purposeCode: string | null;
}

/** The periods that open banking knows for a limit, from shortest to longest; there is no quarter. */
export const LIMIT_PERIODS = ['Day', 'Week', 'Fortnight', 'Month', 'Half-year', 'Year'] as const;
export type LimitPeriod = (typeof LIMIT_PERIODS)[number];

/** `periodType` is a `LimitPeriod`, where a bank keeps to the standard. */
export interface PeriodicLimit {
  periodType: string;
  alignment: 'Consent' | 'Calendar';
  amountPence: number;
}

/**
 * `GONE` is ours: a documented code or a signed response says that the bank does not have the consent (it was deleted). `SUSP` is
 * ours too: the consent is valid, but the customer has to authenticate again.
 */
export type BankConsentStatus = 'AWAU' | 'AUTH' | 'RJCT' | 'CANC' | 'EXPD' | 'GONE' | 'SUSP';

export interface BankConsent {
  bankConsentId: string;
  status: BankConsentStatus;
  /** The bank's reason code, for example TKSP. */
  reason: string | null;
  /** The account that the customer chose, once known. */
  debtor: AccountDetails | null;
  /** The limits that the bank applies now; the customer may have changed them there. Null if it does not report any. */
  limits: BankLimits | null;
}

/** The limits of a consent as reported by its bank; an absent field was not reported. */
export interface BankLimits {
  validFrom?: Temporal.Instant;
  validTo?: Temporal.Instant;
  maximumAmountPence?: number;
  periodicLimits?: PeriodicLimit[];
}

/** A new consent, and the opaque text that every payment under it must repeat unchanged. */
export type CreatedConsent = BankConsent & {
  initiation: string;
  /** Where to send the customer's browser, if the bank says so now; null: `authorisationUrl` tells. */
  redirectUrl: string | null;
};

/** The access granted under a consent. `expiresAt` is in real time, not in the sandbox's. Keep it encrypted. */
export interface Grant {
  accessToken: string;
  refreshToken: string | null;
  expiresAt: Temporal.Instant;
  /** The thumbprint of the certificate of ours with which the tokens were got: the bank takes them with no other (RFC 8705). */
  boundTo: string | null;
}

/** The grant of a bank that gives no tokens: our own connection, and the consent, are all that a payment needs. */
export const NO_TOKENS: Grant = {
  accessToken: '',
  refreshToken: null,
  expiresAt: Temporal.Instant.from('9999-12-31T00:00:00Z'),
  boundTo: null,
};

/** How a bank differs from others: every connector states it, and the core lives with it. */
export interface BankTraits {
  /**
   * What the customer's browser brings back. `answer`: the bank's own word, for one `state` alone. `nothing`: the consent is
   * read, and only the browser that left for the bank completes it.
   */
  returns: 'answer' | 'nothing';
  /** Whether a grant has tokens, which expire; without, every grant is `NO_TOKENS`. */
  givesTokens: boolean;
  /** Whether a consent can ask for the account that pays, and names the one that the customer chose. */
  namesPayer: boolean;
  /** Whether a consent is made only for a customer whose name, and email address or phone number, are known. */
  needsContact: boolean;
  /** Whether the bank tells of changes; without, they are found by polling. */
  notifies: boolean;
  /** Whether a payment ends `credited`; without, it stays `pending` as debited, and only its money tells that it has come. */
  reportsCredit: boolean;
  /** Whether a refused payment has a documented code that says why; without, a reason may be missing. */
  explainsRefusals: boolean;
  /** `after_lack_of_funds`: before a retry of an attempt that failed for lack of them, and while the bank does not answer. */
  fundsCheck: FundsCheck;
  /** The periods that the bank takes for a limit, aligned with the consent; some take four of the six. */
  periods: readonly LimitPeriod[];
  /** After how many months without a payment the bank ends a consent, because it or the scheme says so; null: it does not. */
  endsUnusedAfterMonths: number | null;
  /**
   * How many orders a process sends at once. The connector has a connection for each and some for its other calls: an order that
   * waited for one after its last check could leave when it is no longer this process's.
   */
  ordersAtOnce: number;
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
 * The state of a payment. `credited` means that the money is in the creditor account; a payment that has only left the customer's
 * account is still `pending`.
 */
export type PaymentReport = { bankPaymentId: string; bankStatus: string } & (
  | { outcome: 'pending' }
  | { outcome: 'credited' }
  | { outcome: 'failed'; error: PaymentError }
);

/** A payment as recorded by the bank, with the ids that its order carried; a null one is not kept there. */
export type PaymentRead = PaymentReport & { bankConsentId: string; instructionId: string | null };

/** Our stable codes for a refused payment or consent; merchants see them. */
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
 * `retryable`: a later attempt may succeed. `final`: no attempt with these terms will. `consent_gone`: the bank reports that the
 * consent is over. That alone ends nothing: the consent is read, and again an hour later.
 */
export interface PaymentError {
  code: PaymentErrorCode;
  /** A plain sentence that may be shown to the merchant. */
  message: string;
  kind: 'retryable' | 'final' | 'consent_gone';
  /** The bank's own code, unchanged. */
  bankCode: string;
}

/** A notification as it was pushed to us, by POST: the signature of a bank may cover any part of it. */
export interface PushedNotice {
  /** Of our address, as the bank was told it: without host and query. */
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes that came. */
  body: Buffer;
}

/** Reports that something at the bank has changed. Only a hint: read the resource again. `jti` is unique per bank. */
export interface BankNotification {
  jti: string;
  /** The bank that it is about, where one receiver takes those of several. */
  bankId?: string;
  resources: { kind: 'consent' | 'payment'; id: string }[];
}

/** docs/guides/write-a-bank-connector.md */
export interface Bank {
  readonly bankId: string;
  readonly name: string;
  readonly traits: BankTraits;
  /** For how many seconds from now the bank takes no more calls, as its answers say; 0 or absent: it takes them. */
  readonly restSeconds?: number;

  /** Creates a consent. Throws `BankRefused` if the bank refuses it. */
  createConsent(request: ConsentRequest): Promise<CreatedConsent>;

  /**
   * Returns the address to send the customer's browser to. `state` and `nonce` are unguessable and used once. Not called for a
   * consent that came with its `redirectUrl`. Throws `BankRefused` if the bank has no page for this consent, which it made: it
   * has failed, run out or been decided. The customer can begin again, with another consent.
   */
  authorisationUrl(i: {
    bankConsentId: string;
    state: string;
    nonce: string;
    redirectUri: string;
  }): Promise<string>;

  /**
   * Takes the URL fragment (without `#`) with which the customer's browser came back. Throws `AuthorisationDenied` if the
   * customer declined, `AuthorisationInvalid` if any check of the response fails. Where a bank returns nothing, the caller has
   * checked that this is the browser that left.
   */
  completeAuthorisation(i: {
    bankConsentId: string;
    state: string;
    nonce: string;
    redirectUri: string;
    fragment: string;
  }): Promise<Grant>;

  /**
   * Reads a consent. Status `GONE` requires proof (see there). Throws `BankUnavailable` for anything that proves nothing, such as
   * a bare HTTP error.
   */
  readConsent(bankConsentId: string): Promise<BankConsent>;

  /** Deletes a consent. Succeeds if the bank proves that it is deleted or over; throws otherwise: retry it. */
  deleteConsent(bankConsentId: string): Promise<void>;

  /**
   * Returns a new grant if this one is about to expire, or bound to a former certificate of ours; else the same object. Before a
   * renewal it calls `mayRenew`, because a bank may take a refresh token once: where that returns false, the same object is
   * returned. Throws `BankRefused` (`reauthentication_required`) if the bank does not renew it.
   */
  refresh(grant: Grant, mayRenew?: () => Promise<boolean>): Promise<Grant>;

  /**
   * Checks the funds now, without reserving them; `not_offered`: this bank does not tell. Throws `BankRefused` if the consent
   * does not allow the check, and (`technical`, retryable) for an HTTP error without a documented code.
   */
  confirmFunds(
    grant: Grant,
    bankConsentId: string,
    amountPence: number,
  ): Promise<'available' | 'not_available' | 'not_offered'>;

  /**
   * Sends one attempt; the same key and request again returns the same payment. Throws `BankRefused` if a documented code says
   * that no payment was made, `BankUnavailable` if it is unknown whether one was made; this includes any HTTP error without such
   * a code. With `notSent`, the order never left, so no payment was made.
   */
  submitPayment(grant: Grant, request: PaymentRequest): Promise<PaymentReport>;

  readPayment(bankPaymentId: string): Promise<PaymentRead>;

  /** Reads a consent or payment as the bank signs it; absent where it signs nothing. Throws `BankUnavailable`. */
  readSigned?(about: 'consent' | 'payment', id: string): Promise<SignedAnswer>;

  /** Verifies a pushed notification. Throws `NotificationInvalid` for anything that the bank did not sign. */
  verifyNotification(notice: PushedNotice): Promise<BankNotification>;
}

/** What takes the notices of a bank, or of all banks behind an aggregator. */
export type NoticeReceiver = Pick<Bank, 'bankId' | 'verifyNotification'>;

/**
 * The outcome is unknown: time-out, connection lost, 5xx, too many requests, a response that cannot be trusted or read. Retry
 * with the same idempotency key; never treat it as a failure.
 */
export class BankUnavailable extends Error {
  override readonly name = 'BankUnavailable';
  /** How long the bank asked us to wait, in seconds. */
  readonly retryAfterSeconds: number | null;
  /** The bank did not accept the customer's token: read the consent, it may be over. */
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

/** A known refusal. */
export class BankRefused extends Error {
  override readonly name = 'BankRefused';
  readonly error: PaymentError;

  constructor(error: PaymentError) {
    super(`the bank refused: ${error.code} (${error.bankCode})`);
    this.error = error;
  }
}

/** The bank found our request wrong (or we did before sending it). Nothing was done; people must investigate. */
export class BankDefect extends Error {
  override readonly name = 'BankDefect';
  readonly bankCode: string;

  constructor(message: string, bankCode: string, cause?: unknown) {
    super(message, { cause });
    this.bankCode = bankCode;
  }
}

/**
 * The bank did not take the signature of our request, so that it read nothing else of it: our clock is wrong, or it does not know
 * our key.
 */
export class SignatureRefused extends BankDefect {}

/** The bank gave us no token in our own name: our registration or certificate is wrong there, or its clock or ours. */
export class TokenRefused extends BankDefect {}

/** The customer declined at the bank. */
export class AuthorisationDenied extends Error {
  override readonly name = 'AuthorisationDenied';
}

/** What the browser brought back from the bank is not valid: forged, mixed up, replayed or too late. */
export class AuthorisationInvalid extends Error {
  override readonly name = 'AuthorisationInvalid';
}

/** A pushed notification that this bank did not sign, or that is not for us. */
export class NotificationInvalid extends Error {
  override readonly name = 'NotificationInvalid';
}
