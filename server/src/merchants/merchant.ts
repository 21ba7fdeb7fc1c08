/** The account that a merchant's funds are paid out to: a UK account, 6-digit sort code and 8-digit number. */
export interface SettlementAccount {
  sortCode: string;
  accountNumber: string;
  name: string;
}

/** Who the merchant is, as the customer sees it on the portal. */
export interface BusinessDetails {
  name: string;
  legalName: string;
  email: string;
  website: string;
  address: string;
  /** The merchant's terms and conditions, plain text. */
  terms: string;
}

export interface MerchantSettings {
  /** IANA name; the calendar of the merchant's schedules. */
  timeZone: string;
  /** Where the customer is sent after the decision; null: the portal shows a closing page. */
  returnUrl: string | null;
  /** Reuse an existing consent that covers a new schedule of the same customer. */
  reuseConsent: boolean;
  /** A refund waits for the next collections where the wallet holds less. */
  refundsWait: boolean;
  /** What default references on statements begin with; null: a word of the name. */
  statementName: string | null;
}

/** The fields of a merchant that can be set. */
export interface MerchantFields extends BusinessDetails, MerchantSettings {
  settlementAccount: SettlementAccount;
}

export interface Merchant extends MerchantFields {
  merchantId: string;
  createdAt: Temporal.Instant;
}

/** The fields required to create a merchant; the rest have defaults. */
export type NewMerchant = Omit<MerchantFields, keyof MerchantSettings> & Partial<MerchantSettings>;

export const DEFAULT_SETTINGS: MerchantSettings = {
  timeZone: 'Europe/London',
  returnUrl: null,
  reuseConsent: false,
  refundsWait: false,
  statementName: null,
};
