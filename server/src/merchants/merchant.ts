/** Where a merchant's funds are paid out to: a UK account, 6-digit sort code and 8-digit number. */
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
  /** Where the customer goes after the decision; null: the portal shows a closing page. */
  returnUrl: string | null;
  /** A consent that covers a new schedule of the same customer is used again. */
  reuseConsent: boolean;
}

/** What can be set of a merchant. */
export interface MerchantFields extends BusinessDetails, MerchantSettings {
  settlementAccount: SettlementAccount;
}

export interface Merchant extends MerchantFields {
  merchantId: string;
  createdAt: Temporal.Instant;
}

/** What is needed to create a merchant; the rest has defaults. */
export type NewMerchant = Omit<MerchantFields, keyof MerchantSettings> & Partial<MerchantSettings>;

export const DEFAULT_SETTINGS: MerchantSettings = {
  timeZone: 'Europe/London',
  returnUrl: null,
  reuseConsent: false,
};
