import type {
  AccountDetails,
  Bank,
  BankTraits,
  CustomerContact,
  LimitPeriod,
  MerchantFacts,
} from '../banks/bank.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import type { ActivationDeps } from './activation.ts';
import type { StoredControlParameters } from './consent.ts';
import type { ConsentRow } from './store.ts';

/** The consent to create at the bank for a schedule. */
export interface ConsentPlan {
  controlParameters: StoredControlParameters;
  /** The bank does not take the tightest period, so the limit is for a longer one: the customer is shown it first. */
  hasWiderPeriod: boolean;
  merchantName: string;
  /** What the scheme knows of the merchant. */
  merchant: MerchantFacts;
  /** The holder of a new wallet. */
  customerName: string;
  /** The account that the customer has to pay from; null if they choose it. */
  payer: AccountDetails | null;
  /** Who the customer is, for a bank that has to be told; null: too little is known of them. */
  contact: CustomerContact | null;
  /** At most 18 characters: shown on the customer's bank statement. */
  reference: string;
}

export interface AuthorisationDeps extends ActivationDeps {
  banks: ReadonlyMap<string, Bank>;
  /** `taken`: the periods that the bank takes for a limit; absent: all. Null: no occurrence is left to consent to. */
  plan(
    tx: Tx,
    now: Temporal.Instant,
    consent: ConsentRow,
    taken?: readonly LimitPeriod[],
  ): Promise<ConsentPlan | null>;
  /** Returns the account that a consent's customer has to pay from; null if they choose it. */
  payerOf(
    tx: Tx,
    consent: Pick<ConsentRow, 'merchantId' | 'scheduleId' | 'customerId' | 'anotherAccount'>,
  ): Promise<AccountDetails | null>;
}

/** Whether a bank can make this consent: it can ask for the account that pays, and is told of the customer what it needs. */
export function canMake(
  { namesPayer, needsContact }: BankTraits,
  { payer, contact }: Pick<ConsentPlan, 'payer' | 'contact'>,
): boolean {
  return (payer === null || namesPayer) && (contact !== null || !needsContact);
}

/** The address to which the bank redirects the customer: the same for all merchants. */
export const callbackUrl = (platform: Platform): string =>
  `${platform.config.baseUrl}/consent/callback`;

/** Returns the bank of a consent. Throws if it is not configured. */
export function bankOf(banks: ReadonlyMap<string, Bank>, consent: ConsentRow): Bank {
  const bank = banks.get(consent.bankId ?? '');
  if (bank === undefined) throw new Error(`the bank ${consent.bankId} is not configured`);
  return bank;
}
