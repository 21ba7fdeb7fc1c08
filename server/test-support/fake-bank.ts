import {
  type AccountDetails,
  AuthorisationDenied,
  type Bank,
  type BankConsentStatus,
  type BankLimits,
  BankRefused,
  type BankTraits,
  BankUnavailable,
  type ConsentRequest,
  type PaymentError,
  type PaymentRead,
  type PaymentReport,
} from '../src/banks/bank.ts';
import { OPEN_BANKING_TRAITS } from '../src/banks/open-banking/connector.ts';
import { type Collection, fits } from '../src/schedules/limits/headroom.ts';
import { BANK_TIME_ZONE, type PeriodicLimit } from '../src/schedules/limits/limit-window.ts';
import type { FakeIssuer } from './fake-issuer.ts';

/** A payment in the fake bank's books. */
export interface BankPayment {
  bankPaymentId: string;
  bankConsentId: string;
  endToEndId: string;
  amountPence: number;
  creditor: string;
  /** `debited`: taken from the customer's account, in transit to the creditor's. */
  status: 'pending' | 'debited' | 'credited' | 'failed';
  error: PaymentError | null;
  at: Temporal.Instant;
}

interface BankConsentBook {
  status: BankConsentStatus;
  /** The reason, in the bank's code; if the customer declines it is U036. */
  reason: string | null;
  creditor: string;
  /** Who is paid, as the customer sees it. */
  payee: string;
  controlParameters: ConsentRequest['controlParameters'];
  merchant: ConsentRequest['merchant'];
  /** The account that was asked for; null: the customer chooses one. */
  asked: AccountDetails | null;
  /** The account that the customer agreed with, as the bank names it. */
  debtor: AccountDetails | null;
}

/** How the fake bank handles the next calls. */
export interface BankMood {
  funds: boolean;
  /** Reports a payment as pending; the test settles it. */
  slow: boolean;
  /** Takes the money, then loses the response. */
  losesAnswers: boolean;
  down: boolean;
  refuses: PaymentError['kind'] | null;
  rejectsConsents: boolean;
}

const CHEERFUL: BankMood = {
  funds: true,
  slow: false,
  losesAnswers: false,
  down: false,
  refuses: null,
  rejectsConsents: false,
};

const CODES = {
  final: 'account_closed',
  consent_gone: 'consent_revoked',
  retryable: 'technical',
} as const;

/** Returns an error of this kind, as the fake bank reports it. */
export const errorOf = (kind: PaymentError['kind']): PaymentError => ({
  code: CODES[kind],
  message: 'no',
  kind,
  bankCode: 'TEST',
});

/** An in-memory bank behind the port, with books that a test can compare with ours. It enforces its consents' limits. */
export class FakeBank implements Bank {
  readonly bankId: string;
  readonly name = 'Fake Bank';
  /** Asked each time, so that a test can stop an attempt before its order. */
  readonly traits: BankTraits = { ...OPEN_BANKING_TRAITS, fundsCheck: 'always' };
  readonly mood: BankMood = { ...CHEERFUL };
  readonly consents = new Map<string, BankConsentBook>();
  /** The deleted consents, in order. */
  readonly deleted: string[] = [];
  /** The account that customers agree with; null: the bank names none. */
  agreesWith: AccountDetails | null = null;
  /** By idempotency key. */
  readonly payments = new Map<string, BankPayment>();
  /** The idempotency keys of all payment calls, in order. */
  readonly submitted: string[] = [];
  /** Runs before a call has any effect; a test may make it wait, or throw. */
  before:
    | ((
        call: 'createConsent' | 'readConsent' | 'confirmFunds' | 'submitPayment' | 'deleteConsent',
      ) => Promise<void>)
    | null = null;
  readonly #issuer: FakeIssuer;
  /** The same payments, indexed. */
  readonly #byId = new Map<string, BankPayment>();
  readonly #byConsent = new Map<string, BankPayment[]>();

  constructor(issuer: FakeIssuer, bankId = 'fakebank') {
    this.#issuer = issuer;
    this.bankId = bankId;
  }

  /** Restores the initial behaviour; the books stay. */
  cheerUp(): void {
    Object.assign(this.mood, CHEERFUL);
    this.before = null;
  }

  /** Forgets every idempotency key, as a bank does after a day: the same order is a new payment. */
  forgetKeys(): void {
    const known = [...this.payments];
    this.payments.clear();
    for (const [key, payment] of known) this.payments.set(`forgotten ${key}`, payment);
  }

  #answer(): void {
    if (this.mood.down) throw new BankUnavailable('the bank is down');
  }

  async createConsent(r: ConsentRequest): ReturnType<Bank['createConsent']> {
    await this.before?.('createConsent');
    this.#answer();
    if (this.mood.rejectsConsents) throw new BankRefused(errorOf('final'));
    const bankConsentId = `bc-${r.idempotencyKey}`;
    const creditor = r.creditor.accountNumber;
    this.consents.set(bankConsentId, {
      status: 'AWAU',
      reason: null,
      creditor,
      payee: r.creditor.name,
      controlParameters: r.controlParameters,
      merchant: r.merchant,
      asked: r.debtor ?? null,
      debtor: null,
    });
    return {
      bankConsentId,
      status: 'AWAU',
      reason: null,
      debtor: null,
      limits: null,
      initiation: creditor,
      redirectUrl: null,
    };
  }

  async authorisationUrl(i: Parameters<Bank['authorisationUrl']>[0]): Promise<string> {
    return `https://fakebank.example/authorise?state=${i.state}&consent=${i.bankConsentId}`;
  }

  async completeAuthorisation(
    i: Parameters<Bank['completeAuthorisation']>[0],
  ): ReturnType<Bank['completeAuthorisation']> {
    this.#answer();
    const consent = this.consents.get(i.bankConsentId);
    const isDenied = i.fragment.includes('access_denied');
    const isRejected = i.fragment.includes('rejected');
    // By the standard, a renewed authentication that is declined changes nothing.
    if (consent !== undefined && (consent.status === 'AWAU' || !isDenied)) {
      consent.status = isDenied || isRejected ? 'RJCT' : 'AUTH';
      consent.reason = isDenied ? 'U036' : isRejected ? 'U017' : null;
      consent.debtor ??= this.agreesWith;
    }
    if (isDenied) throw new AuthorisationDenied('the customer said no');
    return {
      accessToken: 'token',
      refreshToken: null,
      expiresAt: Temporal.Now.instant().add({ hours: 1000 }),
      boundTo: null,
    };
  }

  async readConsent(bankConsentId: string): ReturnType<Bank['readConsent']> {
    await this.before?.('readConsent');
    this.#answer();
    const book = this.consents.get(bankConsentId);
    const { status = 'GONE', reason = null, debtor = null } = book ?? {};
    const limits = book === undefined ? null : limitsOf(book.controlParameters);
    return { bankConsentId, status, reason, debtor, limits };
  }

  async deleteConsent(bankConsentId: string): Promise<void> {
    await this.before?.('deleteConsent');
    this.#answer();
    this.consents.delete(bankConsentId);
    this.deleted.push(bankConsentId);
  }

  async refresh(...[grant]: Parameters<Bank['refresh']>): ReturnType<Bank['refresh']> {
    return grant;
  }

  async confirmFunds(
    ..._question: Parameters<Bank['confirmFunds']>
  ): ReturnType<Bank['confirmFunds']> {
    await this.before?.('confirmFunds');
    this.#answer();
    return this.mood.funds ? 'available' : 'not_available';
  }

  async submitPayment(
    _grant: unknown,
    r: Parameters<Bank['submitPayment']>[1],
  ): Promise<PaymentReport> {
    await this.before?.('submitPayment');
    this.submitted.push(r.idempotencyKey);
    this.#answer();
    const known = this.payments.get(r.idempotencyKey);
    const payment = known ?? this.#take(r);
    this.payments.set(r.idempotencyKey, payment);
    if (known === undefined && !this.mood.slow) this.credit(payment);
    if (this.mood.losesAnswers) throw new BankUnavailable('the connection was lost');
    return report(payment);
  }

  #take(r: Parameters<Bank['submitPayment']>[1]): BankPayment {
    if (this.mood.refuses !== null) throw new BankRefused(errorOf(this.mood.refuses));
    const consent = this.consents.get(r.bankConsentId);
    if (consent?.status !== 'AUTH') throw new BankRefused(errorOf('consent_gone'));
    const at = this.#issuer.now();
    const { controlParameters } = consent;
    const limits = controlParameters.periodicLimits as PeriodicLimit[];
    const earlier = this.#byConsent.get(r.bankConsentId) ?? [];
    const used: Collection[] = earlier.filter((p) => p.status !== 'failed');
    const params = { ...controlParameters, periodicLimits: limits };
    const refusal = fits(params, [{ at, amountPence: r.amountPence }], BANK_TIME_ZONE, used);
    if (refusal !== null)
      throw new BankRefused({
        code: 'limit_exceeded',
        message: refusal.reason,
        kind: 'final',
        bankCode: 'TEST',
      });
    const payment: BankPayment = {
      bankPaymentId: `bp-${r.endToEndId}`,
      bankConsentId: r.bankConsentId,
      endToEndId: r.endToEndId,
      amountPence: r.amountPence,
      creditor: consent.creditor,
      status: 'pending',
      error: null,
      at,
    };
    this.#byId.set(payment.bankPaymentId, payment);
    this.#byConsent.set(r.bankConsentId, [...earlier, payment]);
    return payment;
  }

  /** Returns the bank's record of an attempt. */
  paymentOf(paymentId: string, attempt: number): BankPayment {
    const found = this.payments.get(`${paymentId}-a${attempt}`);
    if (found === undefined) throw new Error('the bank knows no such payment');
    return found;
  }

  /** Credits a payment: the money arrives at the issuer. */
  credit(payment: BankPayment): void {
    if (payment.status === 'credited') return;
    payment.status = 'credited';
    this.#issuer.payIn(payment);
  }

  /** Fails a pending payment. */
  fail(payment: BankPayment, kind: PaymentError['kind']): void {
    payment.status = 'failed';
    payment.error = errorOf(kind);
  }

  async readPayment(bankPaymentId: string): Promise<PaymentRead> {
    this.#answer();
    const payment = this.#byId.get(bankPaymentId);
    if (payment === undefined) throw new BankUnavailable('unknown payment');
    const { bankConsentId, endToEndId: instructionId } = payment;
    return { ...report(payment), bankConsentId, instructionId };
  }

  async verifyNotification(): ReturnType<Bank['verifyNotification']> {
    throw new Error('the fake bank notifies nobody');
  }
}

function limitsOf(parameters: ConsentRequest['controlParameters']): BankLimits {
  const { validTo, ...limits } = parameters;
  return { ...limits, ...(validTo && { validTo }) };
}

function report({ bankPaymentId, status, error }: BankPayment): PaymentReport {
  if (status === 'credited') return { bankPaymentId, bankStatus: 'ACCC', outcome: 'credited' };
  if (status === 'debited') return { bankPaymentId, bankStatus: 'ACSC', outcome: 'pending' };
  if (status === 'pending') return { bankPaymentId, bankStatus: 'PDNG', outcome: 'pending' };
  return { bankPaymentId, bankStatus: 'RJCT', outcome: 'failed', error: error ?? errorOf('final') };
}
