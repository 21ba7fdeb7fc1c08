import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** What TrueLayer's facts say of requests that a commercial VRP needs; anything else is refused. */

const closed = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
const Text = Type.String({ minLength: 1 });
const Uuid = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
});
const Amount = Type.Integer({ minimum: 1 });
/** `( ) ^` are refused in names and references everywhere. */
const Name = Type.String({ pattern: '^[^()^]{1,140}$' });
const Reference = Type.String({ pattern: "^[a-zA-Z0-9:.,'+ ?/-]{1,18}$" });
const Account = closed({
  type: Type.Literal('sort_code_account_number'),
  sort_code: Type.String({ pattern: '^\\d{6}$' }),
  account_number: Type.String({ pattern: '^\\d{8}$' }),
});
const Metadata = Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 500 }), {
  maxProperties: 10,
});
const Limit = closed({
  maximum_amount: Amount,
  period_alignment: Type.Enum(['consent', 'calendar']),
});
const PERIODS = ['day', 'week', 'fortnight', 'month', 'half_year', 'year'] as const;

export const MandateRequest = closed({
  mandate: closed({
    type: Type.Literal('commercial'),
    use_case: Type.Enum(['charity', 'financial_services', 'utilities', 'government']),
    provider_selection: closed({
      type: Type.Literal('preselected'),
      provider_id: Text,
      remitter: Type.Optional(closed({ account_holder_name: Name, account_identifier: Account })),
    }),
    beneficiary: closed({
      type: Type.Literal('external_account'),
      account_holder_name: Name,
      account_identifier: Account,
    }),
    reference: Type.Optional(Reference),
  }),
  currency: Type.Literal('GBP'),
  user: closed({
    id: Type.Optional(Uuid),
    name: Type.Optional(Name),
    email: Type.Optional(Type.String({ pattern: '^[^@ ]+@[^@ ]+$' })),
    phone: Type.Optional(Type.String({ pattern: '^\\+[1-9]\\d{4,14}$' })),
  }),
  constraints: closed({
    valid_from: Type.Optional(Text),
    valid_to: Type.Optional(Text),
    maximum_individual_amount: Amount,
    periodic_limits: Type.Object(
      Object.fromEntries(PERIODS.map((period) => [period, Type.Optional(Limit)])),
      { additionalProperties: false, minProperties: 1 },
    ),
  }),
  metadata: Type.Optional(Metadata),
});

export const FlowRequest = closed({
  redirect: closed({ return_uri: Text, direct_return_uri: Type.Optional(Text) }),
});

export const PaymentRequest = closed({
  amount_in_minor: Amount,
  currency: Type.Literal('GBP'),
  payment_method: closed({
    type: Type.Literal('mandate'),
    mandate_id: Text,
    reference: Type.Optional(Reference),
    user_interaction: Type.Enum(['present', 'not_present']),
  }),
  metadata: Type.Optional(Metadata),
});

export const SearchRequest = closed({
  countries: Type.Array(Type.Literal('GB')),
  currencies: Type.Array(Type.Literal('GBP')),
  release_channel: Type.Enum(['general_availability', 'public_beta', 'private_beta']),
  capabilities: closed({ mandates: closed({ vrp_commercial: closed({}) }) }),
});

export type MandateBody = Static<typeof MandateRequest>;
export type PaymentBody = Static<typeof PaymentRequest>;

/** Returns what is wrong with a body, by field; null: nothing. */
export function faultsIn(schema: TSchema, body: unknown): Record<string, string[]> | null {
  const faults = Value.Errors(schema, body);
  if (faults.length === 0) return null;
  return Object.fromEntries(faults.map(({ instancePath, message }) => [instancePath, [message]]));
}
