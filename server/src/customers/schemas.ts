import Type from 'typebox';
import { schemaPath, shownAs } from '../platform/http/components.ts';
import { Id, OneOf } from '../platform/http/schemas.ts';
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
      {},
      { additionalProperties: false },
    ),
  ),
);

/** The customer in responses. */
export const CustomerAnswer = Type.Object(
  {
    id: Id('cus'),
    type: OneOf(['phone', 'bank_account', 'user_id']),
    value: Type.Optional(Type.String()),
    account_number: Type.Optional(Type.String()),
    sort_code: Type.Optional(Type.String()),
  },
  shownAs(oneOfForms('Customer', 'Who pays, as you identified them.', { id: Id('cus') }, {})),
);
