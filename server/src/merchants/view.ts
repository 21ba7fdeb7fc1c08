import Type, { type Static } from 'typebox';
import { SCOPES } from '../platform/http/calls/access.ts';
import {
  Fields,
  Id,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
} from '../platform/http/schemas/schemas.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { type Branding, LONGEST_LOGO_TEXT } from './branding/branding.ts';
import type { Holds } from './holds/hold.ts';
import type { ApiKey } from './keys/keys.ts';
import type { Merchant, MerchantFields } from './merchant.ts';
import { maskAccount } from './settlement-account/settlement-account.ts';
import type { AccountChange } from './settlement-account/settlement-account-store.ts';
import type { DatedFeeTerms } from './terms/fees.ts';

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });

const Account = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 70, description: "The account holder's name." }),
    sort_code: Type.String({ description: '6 digits.', examples: ['123456'], maxLength: 32 }),
    account_number: Type.String({
      description: '8 digits.',
      examples: ['12345678'],
      maxLength: 32,
    }),
  },
  {
    title: 'SettlementAccount',
    additionalProperties: false,
    description: 'Where settlements are paid to.',
  },
);

/** The fields of a merchant that can be set, as the API names them. */
export const MERCHANT_FIELDS = {
  name: Type.String({ minLength: 1, maxLength: 70, description: 'The name that customers know.' }),
  legal_name: text(140, 'The name in the register of companies.'),
  email: text(254, 'Where customers can write to.'),
  website: text(2048, 'Shown to customers.'),
  address: text(500, 'The business address.'),
  terms: text(50_000, 'Terms and conditions, plain text, shown before the customer agrees.'),
  time_zone: text(64, 'The calendar of your schedules: an IANA name such as Europe/London.'),
  return_url: OrNull(text(2048, 'Where the customer goes after the decision.')),
  reuse_consent: Type.Boolean({
    description:
      'A new schedule starts active where the same customer already granted a consent that covers it.',
  }),
  refunds_wait: Type.Boolean({
    description: 'A refund waits for the next collections where the wallet holds less.',
  }),
  colour: OrNull(
    Type.String({
      maxLength: 20,
      description: 'Of the buttons that customers see. White text must be legible on it.',
      examples: ['#1d4ed8'],
    }),
  ),
  settlement_account: Account,
};

/** An account that shows only its last digits. */
export const MaskedAccountView = NamedObject('MaskedAccount', {
  name: Type.String(),
  sort_code: Type.String({ examples: ['••••56'] }),
  account_number: Type.String({ examples: ['••••5678'] }),
});

const PendingAccount = Type.Object(
  { ...MaskedAccountView.properties, requested_at: Instant, takes_effect_at: Instant },
  {
    title: 'PendingSettlementAccount',
    description: 'Where settlements are to be paid to instead, masked, and from when.',
  },
);

export const Fees = NamedObject('Fees', {
  fixed_pence: Type.Integer({ minimum: 0 }),
  basis_points: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Hundredths of a percent of the amount; half a penny is rounded up.',
  }),
  from: Instant,
});

export const MerchantView = NamedObject('Merchant', {
  id: Id('mer'),
  ...MERCHANT_FIELDS,
  logo_url: OrNull(Type.String({ description: 'Where the logo that customers see is served.' })),
  pending_settlement_account: OrNull(PendingAccount),
  fees: OrNull({
    ...Fees,
    description:
      'What the operator takes of each collection, never more than its amount; null: nothing.',
  }),
  next_fees: OrNull({ ...Fees, description: 'What it takes instead, and from when on.' }),
  suspended_since: OrNull({
    ...Instant,
    description: 'Since when the operator has you suspended: no new schedules, no new payments.',
  }),
  pay_outs_held_since: OrNull({
    ...Instant,
    description: 'Since when your pay-outs are on hold: settlements wait.',
  }),
  pay_outs_held_until: OrNull({
    ...Instant,
    description:
      'When the hold ends on its own, after one owner alone has changed the settlement account; null: when somebody ends it.',
  }),
  created_at: Instant,
});

/** The body of PUT /merchant: only the fields sent are changed. */
export const MerchantChanges = Type.Partial(
  Fields({
    ...MERCHANT_FIELDS,
    logo: OrNull(
      Type.String({
        maxLength: LONGEST_LOGO_TEXT,
        description:
          'The logo that customers see: a PNG or JPEG of at most 100 KB and 2,000 pixels a side, in base64.',
      }),
    ),
  }),
  { additionalProperties: false },
);

export const KeyView = NamedObject('ApiKey', {
  id: Id('key'),
  name: Type.String(),
  hint: Type.String({ description: 'The last four characters of the key.' }),
  scopes: Type.Array(OneOf(SCOPES), { description: 'What the key may do.' }),
  made_by: OrNull(
    Type.String({ description: 'The member with whose membership it ends; null: the operator.' }),
  ),
  created_at: Instant,
  expires_at: OrNull(Instant),
  revoked_at: OrNull(Instant),
  last_used_at: OrNull(Instant),
  allowed_ips: OrNull(
    Type.Array(Type.String({ examples: ['203.0.113.0/24'] }), {
      description: 'The addresses and ranges that the key may be used from; null: anywhere.',
    }),
  ),
  last_refused: OrNull({
    ...NamedObject('RefusedUse', {
      at: Instant,
      address: Type.String({ examples: ['198.51.100.7'] }),
    }),
    description: 'The last use from another address, which was refused.',
  }),
});

export const NewKeyView = NamedObject('NewApiKey', {
  ...KeyView.properties,
  key: Type.String({
    description: 'The key itself. It is shown this once.',
    examples: ['rk_test_…'],
  }),
});

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

export function viewKey(key: ApiKey): Static<typeof KeyView> {
  return {
    id: key.keyId,
    name: key.name,
    hint: key.hint,
    scopes: [...key.scopes],
    made_by: key.madeBy,
    created_at: formatInstant(key.createdAt),
    expires_at: formatInstant(key.expiresAt),
    revoked_at: formatInstant(key.revokedAt),
    last_used_at: formatInstant(key.lastUsedAt),
    allowed_ips: key.allowedIps === null ? null : [...key.allowedIps],
    last_refused:
      key.refused === null
        ? null
        : { at: formatInstant(key.refused.at), address: key.refused.address },
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
