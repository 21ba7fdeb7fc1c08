import Type from 'typebox';
import { schemaPath, shownAs } from '../platform/http/openapi/components.ts';
import { Fields, Id, Instant, OneOf, OrNull } from '../platform/http/schemas/schemas.ts';
import type { CustomerType } from './customer.ts';

const phone = Type.String({
  description: 'International format, starting with +.',
  minLength: 3,
  maxLength: 32,
  examples: ['+447700900123'],
});
const accountNumber = Type.String({
  description: '8 digits; 6 and 7 are padded with zeros on the left.',
  minLength: 6,
  maxLength: 16,
  examples: ['66374958'],
});
const sortCode = Type.String({
  description: '6 digits; hyphens and blanks are accepted.',
  minLength: 6,
  maxLength: 16,
  examples: ['089999'],
});
const userId = Id('cus', 'The id of a customer of yours.');

const Name = Type.String({ maxLength: 140, examples: ['Kim Fern'] });
const Email = Type.String({ maxLength: 254, examples: ['kim@fern.example'] });
const Reference = Type.String({
  description: 'Your own id of the customer.',
  maxLength: 100,
  examples: ['C-1042'],
});
const Notes = Type.String({
  description: 'For your team; never shown to the customer.',
  maxLength: 5000,
});

const PROFILE = { name: OrNull(Name), email: OrNull(Email), reference: OrNull(Reference) };
const PROFILE_INPUT = {
  name: Type.Optional(PROFILE.name),
  email: Type.Optional(PROFILE.email),
  reference: Type.Optional(PROFILE.reference),
};

/** What identifies a customer, by its type. */
const IDENTIFICATION = {
  phone: { value: phone },
  bank_account: { account_number: accountNumber, sort_code: sortCode },
  user_id: { value: userId },
} as const;

const NAMES: Readonly<Record<CustomerType, string>> = {
  phone: 'Phone',
  bank_account: 'BankAccount',
  user_id: 'UserId',
};

/** Shows a customer as one of its three forms. */
function oneOfForms(suffix: string, description: string, more: object, options: object): object {
  const forms = Object.entries(IDENTIFICATION).map(([type, fields]) =>
    Type.Object(
      { ...more, type: Type.Literal(type), ...fields },
      { title: `${NAMES[type as CustomerType]}${suffix}`, ...options },
    ),
  );
  const mapping = Object.entries(NAMES).map(([type, name]) => [
    type,
    schemaPath(`${name}${suffix}`),
  ]);
  return {
    title: suffix,
    description,
    type: 'object',
    oneOf: forms,
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  };
}

/** The customer in requests; `parseCustomer` checks it, and takes the shorthand too. */
export const CustomerInputSchema = Type.Unsafe<unknown>(
  shownAs(
    oneOfForms(
      'CustomerInput',
      'Who pays, identified in one of three ways. `{"phone": "+44…"}` is accepted as a shorthand of the first.',
      PROFILE_INPUT,
      { additionalProperties: false },
    ),
  ),
);

const IDENTIFIED = {
  id: Id('cus'),
  type: OneOf(['phone', 'bank_account', 'user_id']),
  value: Type.Optional(Type.String()),
  account_number: Type.Optional(Type.String()),
  sort_code: Type.Optional(Type.String()),
};

/** What is known of the customer; the rest is left out. */
const OPTIONAL_DETAILS = {
  name: Type.Optional(Name),
  email: Type.Optional(Email),
  reference: Type.Optional(Reference),
};

/** The customer within a schedule. */
export const CustomerAnswer = Type.Object(
  { ...IDENTIFIED, ...OPTIONAL_DETAILS },
  shownAs(
    oneOfForms(
      'Customer',
      'Who pays, as you identified them, and what you know of them.',
      { id: Id('cus'), ...OPTIONAL_DETAILS },
      {},
    ),
  ),
);

/** The paying account: only the last digits of its number. */
export const PayingAccount = Type.Object(
  { sort_code: Type.String(), account_number: Type.String() },
  {
    title: 'PayingAccount',
    description: 'The account that pays, masked; null before it is known.',
    examples: [{ sort_code: '**-**-**', account_number: '****4958' }],
  },
);

const DETAILS = {
  notes: OrNull(Notes),
  bank: OrNull(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { title: 'CustomerBank', description: 'The bank of the latest granted consent.' },
    ),
  ),
  paying_account: OrNull(PayingAccount),
  created_at: Instant,
};

/** The customer in responses of its own: docs/rules/schedules.md#the-customer-object. */
export const FullCustomerAnswer = Type.Object(
  { ...IDENTIFIED, ...PROFILE, ...DETAILS },
  shownAs(
    oneOfForms(
      'CustomerDetails',
      'Who pays, what you know of them, and where they pay from.',
      { id: Id('cus'), ...PROFILE, ...DETAILS },
      {},
    ),
  ),
);

export const CustomerUpdate = Fields({ ...PROFILE_INPUT, notes: Type.Optional(OrNull(Notes)) });
