import Type from 'typebox';
import { schemaPath, shownAs } from '../platform/http/openapi/components.ts';
import {
  Described,
  Fields,
  Id,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
  Text,
} from '../platform/http/schemas/schemas.ts';
import type { CustomerType } from './customer.ts';

const phone = Type.String({
  description: 'The phone number, in international format with a `+`.',
  minLength: 3,
  maxLength: 32,
  examples: ['+447700900123'],
});
const accountNumber = Type.String({
  description: 'The account number: 8 digits; 6 and 7 are padded with zeros on the left.',
  minLength: 6,
  maxLength: 16,
  examples: ['66374958'],
});
const sortCode = Type.String({
  description: 'The sort code: 6 digits; hyphens and blanks are accepted.',
  minLength: 6,
  maxLength: 16,
  examples: ['089999'],
});
const userId = Id('cus', 'The id of a customer of yours.');

/** What is known of a customer: the fields, and what each is. */
const Name = { maxLength: 140, description: 'The customer’s name.', examples: ['Kim Fern'] };
const Email = {
  maxLength: 254,
  description: 'The customer’s email address.',
  examples: ['kim@fern.example'],
};
const Reference = {
  maxLength: 100,
  description: 'Your own id of the customer.',
  examples: ['C-1042'],
};
const Notes = { maxLength: 5000, description: 'For your team; never shown to the customer.' };

/** Returns the schema of a field of a profile, which may be null. */
const Known = ({ description, ...text }: typeof Notes, ofNull: string) =>
  OrNull(Type.String(text), `${description} ${ofNull}`);

const PROFILE = {
  name: Known(Name, 'Null: not known.'),
  email: Known(Email, 'Null: not known.'),
  reference: Known(Reference, 'Null: there is none.'),
};
const PROFILE_INPUT = {
  name: Type.Optional(Known(Name, 'Null clears it.')),
  email: Type.Optional(Known(Email, 'Null clears it.')),
  reference: Type.Optional(Known(Reference, 'Null clears it.')),
};

/** What identifies a customer, by its type. */
const IDENTIFICATION = {
  phone: { value: phone },
  bank_account: { account_number: accountNumber, sort_code: sortCode },
  user_id: { value: userId },
} as const;

const NOUNS: Readonly<Record<CustomerType, string>> = {
  phone: 'a phone number',
  bank_account: 'a bank account, the one that pays',
  user_id: 'the id of a customer that you have',
};

const NAMES: Readonly<Record<CustomerType, string>> = {
  phone: 'Phone',
  bank_account: 'BankAccount',
  user_id: 'UserId',
};

/** Shows a customer as one of its three forms. */
function oneOfForms(suffix: string, description: string, more: object, options: object): object {
  const forms = Object.entries(IDENTIFICATION).map(([form, fields]) => {
    const type = form as CustomerType;
    const about = { description: `The customer is identified by ${NOUNS[type]}.` };
    return Type.Object(
      { ...more, type: Type.Literal(type, about), ...fields },
      { title: `${NAMES[type]}${suffix}`, ...about, ...options },
    );
  });
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
      'Who pays, identified in one of three ways. A customer that you have already is found, and a new one is created; a ' +
        '`user_id` must be that of a customer you have, the `customer.id` of a schedule. ' +
        '`{"phone": "+44…"}` is accepted as a shorthand of the first. A ' +
        'name, email address or reference that is sent replaces the one that the customer has; what is left out stays.',
      PROFILE_INPUT,
      { additionalProperties: false },
    ),
  ),
);

const id = Id('cus', 'The customer’s id.');

const IDENTIFIED = {
  id,
  type: OneOf(['phone', 'bank_account', 'user_id']),
  value: Type.Optional(Type.String()),
  account_number: Type.Optional(Type.String()),
  sort_code: Type.Optional(Type.String()),
};

/** What is known of the customer; the rest is left out. */
const OPTIONAL_DETAILS = {
  name: Type.Optional(Type.String(Name)),
  email: Type.Optional(Type.String(Email)),
  reference: Type.Optional(Type.String(Reference)),
};

/** The customer within a schedule. */
export const CustomerAnswer = Type.Object(
  { ...IDENTIFIED, ...OPTIONAL_DETAILS },
  shownAs(
    oneOfForms(
      'Customer',
      'Who pays: as you identified them, and what is known of their name, email address and reference.',
      { id, ...OPTIONAL_DETAILS },
      {},
    ),
  ),
);

/** The paying account: only the last digits of its number. */
export const PayingAccount = Type.Object(
  {
    sort_code: Text('The sort code, all of it masked.'),
    account_number: Text('The account number, masked but for its last digits.'),
  },
  {
    title: 'PayingAccount',
    description: 'The account that a customer pays from, masked.',
    examples: [{ sort_code: '**-**-**', account_number: '****4958' }],
  },
);

const DETAILS = {
  notes: Known(Notes, 'Null: there are none.'),
  bank: OrNull(
    NamedObject(
      'CustomerBank',
      {
        id: Text('The bank’s id, as `GET /api/v1/banks` lists it.'),
        name: Text('The name that the customer knows.'),
      },
      'A customer’s bank.',
    ),
    'The bank of the latest granted consent. Null: there was none.',
  ),
  paying_account: OrNull(
    PayingAccount,
    'The account of the latest granted consent, masked. Null: it is not known yet.',
  ),
  created_at: Described(Instant, 'When the customer was created.'),
};

/** The customer in responses of its own: docs/rules/schedules.md#the-customer-object. */
export const FullCustomerAnswer = Type.Object(
  { ...IDENTIFIED, ...PROFILE, ...DETAILS },
  shownAs(
    oneOfForms(
      'CustomerDetails',
      'A customer: how you identified them, what you know of them, and where they pay from.',
      { id, ...PROFILE, ...DETAILS },
      {},
    ),
  ),
);

export const CustomerUpdate = Fields(
  {
    ...PROFILE_INPUT,
    notes: Type.Optional(Known(Notes, 'Null clears them.')),
  },
  'Changes of a customer. A field that is left out stays as it is.',
);
