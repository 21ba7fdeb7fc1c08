import Type, { type Static } from 'typebox';
import {
  Described,
  Fields,
  Id,
  Instant,
  NamedObject,
  OrNull,
  Text,
} from '../platform/http/schemas/schemas.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { type Branding, LONGEST_LOGO_TEXT } from './branding/branding.ts';
import type { Holds } from './holds/hold.ts';
import type { Merchant, MerchantFields } from './merchant.ts';
import { PayeeCheckView, viewPayeeCheck } from './settlement-account/payee-check-view.ts';
import { maskAccount } from './settlement-account/settlement-account.ts';
import type { AccountChange } from './settlement-account/settlement-account-store.ts';
import { statementNameOf } from './statement-name.ts';
import { StatementName, StatementNameChange } from './statement-name-fields.ts';
import type { DatedFeeTerms } from './terms/fees.ts';

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });

const Account = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 70, description: 'The account holder’s name.' }),
    sort_code: Type.String({
      description: 'The sort code, 6 digits.',
      examples: ['123456'],
      maxLength: 32,
    }),
    account_number: Type.String({
      description: 'The account number, 8 digits.',
      examples: ['12345678'],
      maxLength: 32,
    }),
  },
  {
    title: 'SettlementAccount',
    additionalProperties: false,
    description:
      'The account that settlements are paid to. An owner changes it in the dashboard; an API key gets 403 `forbidden`.',
  },
);

/** The fields of a merchant that can be set, as the API names them. */
export const MERCHANT_FIELDS = {
  name: Type.String({ minLength: 1, maxLength: 70, description: 'The name that customers know.' }),
  legal_name: text(140, 'The name in the register of companies.'),
  email: text(254, 'The address that customers can write to, and that notices for you go to.'),
  website: text(2048, 'Your website, shown to customers: a URL with https or http.'),
  address: text(500, 'The business address, shown to customers.'),
  terms: text(50_000, 'Your terms and conditions in plain text, shown before the customer agrees.'),
  time_zone: text(
    64,
    'The time zone in which the dates of your schedules are computed: a name of the tz database such as `Europe/London`, or `UTC`.',
  ),
  return_url: OrNull(
    Type.String({ maxLength: 2048 }),
    'Where the customer goes after the decision, with `schedule_id` and `status` in the query: a URL with https. Null: a closing page of the portal.',
  ),
  reuse_consent: Type.Boolean({
    description:
      'Whether a new schedule is active at once where the same customer has granted a consent that covers it too.',
  }),
  refunds_wait: Type.Boolean({
    description:
      'Whether a refund waits for the next collections where your wallet has less. Otherwise it is refused.',
  }),
  colour: OrNull(
    Type.String({ maxLength: 20, examples: ['#1d4ed8'] }),
    'The colour of the buttons that customers see. White text must be legible on it. Null: the default colour.',
  ),
  settlement_account: Account,
};

/** An account that shows only its last digits. */
export const MaskedAccountView = NamedObject(
  'MaskedAccount',
  {
    name: Text('The account holder’s name.'),
    sort_code: Type.String({
      description: 'The sort code, masked but for its last digits.',
      examples: ['••••56'],
    }),
    account_number: Type.String({
      description: 'The account number, masked but for its last digits.',
      examples: ['••••5678'],
    }),
  },
  'An account of which only the last digits are shown.',
);

const PendingAccount = NamedObject(
  'PendingSettlementAccount',
  {
    ...MaskedAccountView.properties,
    requested_at: Described(Instant, 'When the change was asked for.'),
    takes_effect_at: Described(
      Instant,
      'From when on settlements are paid to it, unless a second owner confirms it before.',
    ),
    payee_check: OrNull(
      PayeeCheckView,
      'What the bank said of the name when the change was asked for. Null: it was not asked.',
    ),
  },
  'The settlement account that a change will put in place, masked.',
);

export const Fees = NamedObject(
  'Fees',
  {
    fixed_pence: Type.Integer({
      minimum: 0,
      description: 'The fixed part of the fee of a payment, in pence.',
    }),
    basis_points: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description:
        'The share of the amount, in hundredths of a percent. Half a penny is rounded up.',
    }),
    from: Described(Instant, 'From when on they apply: to what is collected from then on.'),
  },
  'What the operator takes of each payment, never more than its amount.',
);

export const MerchantView = NamedObject(
  'Merchant',
  {
    id: Id('mer', 'Your id.'),
    ...MERCHANT_FIELDS,
    statement_name: StatementName,
    logo_url: OrNull(
      Type.String(),
      'Where the logo that customers see is served. Null: they see your name instead.',
    ),
    pending_settlement_account: OrNull(
      PendingAccount,
      'The settlement account that waits to take effect. Null: no change waits.',
    ),
    fees: OrNull(Fees, 'What the operator takes of each payment. Null: nothing.'),
    next_fees: OrNull(
      Fees,
      'The fees that follow, and from when on. Null: no change is announced.',
    ),
    suspended_since: OrNull(
      Instant,
      'Since when the operator has you suspended: no new schedules, and no new payments. Null: you are not.',
    ),
    pay_outs_held_since: OrNull(
      Instant,
      'Since when your pay-outs are on hold: settlements wait. Null: they are not.',
    ),
    pay_outs_held_until: OrNull(
      Instant,
      'When the hold ends on its own, after one owner alone has changed the settlement account. Null: when somebody ends it, or there is none.',
    ),
    created_at: Described(Instant, 'When you were registered.'),
  },
  'Your business details and settings.',
);

/** The body of PUT /merchant: only the fields sent are changed. */
export const MerchantChanges = Type.Partial(
  Fields({
    ...MERCHANT_FIELDS,
    statement_name: StatementNameChange,
    logo: OrNull(
      Type.String({ maxLength: LONGEST_LOGO_TEXT }),
      'The logo that customers see: a PNG or JPEG of at most 100 KB and 2,000 pixels a side, in base64. Null takes it away.',
    ),
  }),
  {
    additionalProperties: false,
    description: 'Changes of your details and settings. A field that is left out stays as it is.',
  },
);

/** Returns fee terms as the API shows them. */
export const viewFees = (terms: DatedFeeTerms | null): Static<typeof Fees> | null =>
  terms === null
    ? null
    : {
        fixed_pence: terms.fixedPence,
        basis_points: terms.basisPoints,
        from: formatInstant(terms.from),
      };

/** Returns a merchant as the API shows it. */
export function viewMerchant(
  m: Merchant,
  branding: Branding,
  pending: AccountChange | null,
  fees: { now: DatedFeeTerms | null; next: DatedFeeTerms | null },
  holds: Holds,
): Static<typeof MerchantView> {
  return {
    id: m.merchantId,
    name: m.name,
    legal_name: m.legalName,
    email: m.email,
    website: m.website,
    address: m.address,
    terms: m.terms,
    time_zone: m.timeZone,
    return_url: m.returnUrl,
    reuse_consent: m.reuseConsent,
    refunds_wait: m.refundsWait,
    statement_name: statementNameOf(m),
    colour: branding.colour,
    logo_url: branding.logo?.url ?? null,
    settlement_account: {
      name: m.settlementAccount.name,
      sort_code: m.settlementAccount.sortCode,
      account_number: m.settlementAccount.accountNumber,
    },
    pending_settlement_account:
      pending === null
        ? null
        : {
            ...maskAccount(pending.newAccount),
            requested_at: formatInstant(pending.requestedAt),
            takes_effect_at: formatInstant(pending.takesEffectAt),
            payee_check: pending.check && viewPayeeCheck(pending.check),
          },
    fees: viewFees(fees.now),
    next_fees: viewFees(fees.next),
    suspended_since: formatInstant(holds.suspended?.since ?? null),
    pay_outs_held_since: formatInstant((holds.pay_outs ?? holds.account_changed)?.since ?? null),
    pay_outs_held_until: formatInstant(
      holds.pay_outs === undefined ? (holds.account_changed?.endsAt ?? null) : null,
    ),
    created_at: formatInstant(m.createdAt),
  };
}

/** Returns the fields in a body of PUT /merchant, by the service's names, without those of the look. */
export function changesOf(body: Static<typeof MerchantChanges>): Partial<MerchantFields> {
  const {
    legal_name,
    time_zone,
    return_url,
    reuse_consent,
    refunds_wait,
    settlement_account,
    statement_name,
    colour: _colour,
    logo: _logo,
    ...same
  } = body;
  // A body that is only being checked may have anything here.
  const account: NonNullable<typeof settlement_account> = Object(settlement_account);
  return {
    ...same,
    ...(legal_name === undefined ? {} : { legalName: legal_name }),
    ...(time_zone === undefined ? {} : { timeZone: time_zone }),
    ...(return_url === undefined ? {} : { returnUrl: return_url }),
    ...(reuse_consent === undefined ? {} : { reuseConsent: reuse_consent }),
    ...(refunds_wait === undefined ? {} : { refundsWait: refunds_wait }),
    ...(statement_name === undefined ? {} : { statementName: statement_name }),
    ...(settlement_account === undefined
      ? {}
      : {
          settlementAccount: {
            name: account.name,
            sortCode: account.sort_code,
            accountNumber: account.account_number,
          },
        }),
  };
}
