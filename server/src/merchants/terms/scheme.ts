import type { UseCase } from '../../platform/config/schemes.ts';

/** When a merchant is paid: on its own schedule, before what it supplies, or after it. */
export const PAYMENT_CONTEXTS = [
  'merchant_initiated',
  'billing_in_advance',
  'billing_in_arrears',
] as const;
type PaymentContext = (typeof PAYMENT_CONTEXTS)[number];

/** What the money is for: those of the purposes of ISO 20022 that somebody collects again and again. */
export const PURPOSES = [
  'SUBS',
  'UBIL',
  'ELEC',
  'GASB',
  'WTER',
  'PHON',
  'NWCM',
  'TELI',
  'CBTV',
  'INSU',
  'HLTI',
  'LIFI',
  'PPTI',
  'LOAN',
  'CCRD',
  'HLRP',
  'RENT',
  'SAVG',
  'INVS',
  'PENS',
  'TAXS',
  'GOVT',
  'CHAR',
  'EDUC',
  'GDSV',
  'SERV',
  'OTHR',
] as const;
type Purpose = (typeof PURPOSES)[number];

/** What the payment scheme wants to know of a merchant: docs/rules/consents.md#what-the-scheme-knows-of-a-merchant. */
export interface MerchantScheme {
  /** Null: not recorded. */
  useCase: UseCase | null;
  /** What the merchant sells (ISO 18245); null: not said, or what the connection says. */
  categoryCode: string | null;
  paymentContext: PaymentContext;
  /** Null: not said. */
  purposeCode: Purpose | null;
}
