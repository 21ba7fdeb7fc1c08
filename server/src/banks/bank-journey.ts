import { setTimeout as wait } from 'node:timers/promises';
import type {
  AccountDetails,
  Bank,
  ConsentRequest,
  Grant,
  PaymentReport,
  PaymentRequest,
  PushedNotice,
} from './bank.ts';
import { isDebited } from './status-codes.ts';

/** The customers that a bank under test must know. */
export type ContractCustomer =
  /** Has enough money. */
  | 'ordinary'
  /** Has no money. */
  | 'penniless'
  /** The bank debits the account, and the connection is lost before the response. */
  | 'unanswered'
  /** Agrees, but the bank itself refuses the consent. */
  | 'refused_by_bank';

/** The environment of the bank under test: its customers, and the notifications that it pushes. */
export interface BankDriver {
  /** Registered with the bank as ours. */
  redirectUri: string;
  /** An account that accepts money. */
  creditor: AccountDetails;
  /**
   * Lets the customer open the address, sign in and agree; returns the fragment or query with which the browser came back, empty
   * where it brings nothing.
   */
  agree(url: string, customer: ContractCustomer): Promise<string>;
  /** The same, but the customer declines. */
  disagree(url: string, customer: ContractCustomer): Promise<string>;
  /** Lets the customer withdraw a consent at the bank. */
  withdraw(customer: ContractCustomer, bankConsentId: string): Promise<void>;
  /** Returns the notifications that the bank has pushed so far; none from one that pushes none. */
  notifications(): PushedNotice[];
}

const ATTEMPTS = 50;
const PAUSE_MS = 100;

export interface Begun {
  bankConsentId: string;
  initiation: string;
  redirectUrl: string | null;
  state: string;
  nonce: string;
  redirectUri: string;
}
export interface Agreed {
  bankConsentId: string;
  initiation: string;
  grant: Grant;
}

/** Creates a consent, and what the customer's authorisation at the bank needs. */
export async function begun(bank: Bank, driver: BankDriver): Promise<Begun> {
  const { bankConsentId, initiation, redirectUrl } = await bank.createConsent(termsFor(driver));
  const { redirectUri } = driver;
  return { bankConsentId, initiation, redirectUrl, state: secret(), nonce: secret(), redirectUri };
}

/** Returns the address to which the customer goes. */
export async function pageOf(bank: Bank, request: Begun): Promise<string> {
  return request.redirectUrl ?? bank.authorisationUrl(request);
}

/** Returns a consent that the customer has agreed to. */
export async function agreed(
  bank: Bank,
  driver: BankDriver,
  customer: ContractCustomer,
): Promise<Agreed> {
  const request = await begun(bank, driver);
  const fragment = await driver.agree(await pageOf(bank, request), customer);
  const grant = await bank.completeAuthorisation({ ...request, fragment });
  return { bankConsentId: request.bankConsentId, initiation: request.initiation, grant };
}

/** Whether a payment has gone as far as its bank tells: credited, or debited where only the money tells more. */
export function isPaid({ traits }: Bank, { outcome, bankStatus }: PaymentReport): boolean {
  return traits.reportsCredit
    ? outcome === 'credited'
    : outcome === 'pending' && isDebited(bankStatus);
}

/** Returns a consent request: at most £20 per payment and £20 a month. */
export function termsFor(driver: Pick<BankDriver, 'creditor'>): ConsentRequest {
  return {
    idempotencyKey: secret().slice(0, 40),
    creditor: driver.creditor,
    ultimateCreditorName: 'Fernhill Broadband Ltd',
    customerReference: 'cus_1',
    reference: 'FERNHILL 0042',
    contact: { name: 'Ada Moss', email: 'ada@example.com', phone: null },
    merchant: { categoryCode: '4899', paymentContext: 'billing_in_advance', purposeCode: 'SUBS' },
    currency: 'GBP',
    controlParameters: {
      validFrom: Temporal.Now.instant().add({ seconds: 1 }),
      validTo: null,
      maximumAmountPence: 2000,
      periodicLimits: [{ periodType: 'Month', alignment: 'Consent', amountPence: 2000 }],
    },
  };
}

/** Returns a new attempt under a consent. */
export function paymentOf(allowed: Agreed, amountPence: number): PaymentRequest {
  const id = secret().slice(0, 30);
  return {
    idempotencyKey: id,
    bankConsentId: allowed.bankConsentId,
    initiation: allowed.initiation,
    instructionId: id,
    endToEndId: id,
    amountPence,
    currency: 'GBP',
  };
}

/** Polls a payment until its bank tells no more of it. */
export async function final(bank: Bank, report: PaymentReport): Promise<PaymentReport> {
  const isFinal = (one: PaymentReport): boolean => one.outcome !== 'pending' || isPaid(bank, one);
  if (isFinal(report)) return report;
  return eventually(async () => {
    const now = await bank.readPayment(report.bankPaymentId);
    return isFinal(now) ? now : undefined;
  });
}

/** Polls, for at most five seconds, until there is a result. */
export async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await wait(PAUSE_MS);
  }
  throw new Error('it did not happen in time');
}

/** Returns an unguessable text for a state, a nonce or a key. */
export function secret(): string {
  return crypto.randomUUID().replaceAll('-', '') + crypto.randomUUID().replaceAll('-', '');
}
