import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { parseAccountNumber, parseSortCode, plainPhone } from '../platform/values/normal.ts';
import { type ProfileChange, profileErrors, readProfile } from './profile.ts';

/** How a merchant identifies a customer, normalised: docs/rules/schedules.md#customers. */
export type CustomerIdentification =
  | { type: 'phone'; value: string }
  | { type: 'bank_account'; account_number: string; sort_code: string }
  | { type: 'user_id'; value: string };

export type CustomerType = CustomerIdentification['type'];

type Errors = { errors: Record<string, string> };
type Parsed = { customer: CustomerIdentification; profile: ProfileChange } | Errors;
type Identified = { customer: CustomerIdentification } | Errors;

/** Beside the identification, in each of its forms. */
const PROFILE = ['name', 'email', 'reference'];
const ALLOWED: Record<CustomerType, readonly string[]> = {
  phone: ['type', 'value', ...PROFILE],
  bank_account: ['type', 'account_number', 'sort_code', ...PROFILE],
  user_id: ['type', 'value', ...PROFILE],
};

/**
 * Parses a customer from a request, including the shorthand `{"phone": "+44…"}` of the onboarding flow. Returns the normalised
 * form (E.164, 6-digit sort code, 8-digit account number) and the profile fields sent, or the error of every wrong field.
 */
export function parseCustomer(input: unknown): Parsed {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { errors: { customer: 'must be an object' } };
  const known = parsed.get(input);
  if (known !== undefined) return known;
  const result = parseFields(input as Record<string, unknown>);
  parsed.set(input, result);
  return result;
}

/** A request's customer is parsed when the request is checked and when it is carried out. */
const parsed = new WeakMap<object, Parsed>();

function parseFields(fields: Record<string, unknown>): Parsed {
  const identified = parseIdentification(fields);
  const sent = Object.fromEntries(
    Object.entries(fields).filter(([name]) => PROFILE.includes(name)),
  );
  const errors = {
    ...('errors' in identified ? identified.errors : {}),
    ...profileErrors(sent, (field) => `customer.${field}`),
  };
  if ('errors' in identified || Object.keys(errors).length > 0) return { errors };
  return { customer: identified.customer, profile: readProfile(sent) };
}

function parseIdentification(fields: Record<string, unknown>): Identified {
  if (fields.type === undefined && 'phone' in fields) {
    const extra = unknownFields(fields, ['phone', ...PROFILE]);
    return merge(extra, parsePhone(fields.phone, 'customer.phone'));
  }
  switch (fields.type) {
    case 'phone':
      return merge(
        unknownFields(fields, ALLOWED.phone),
        parsePhone(fields.value, 'customer.value'),
      );
    case 'bank_account':
      return merge(unknownFields(fields, ALLOWED.bank_account), parseBankAccount(fields));
    case 'user_id':
      return merge(unknownFields(fields, ALLOWED.user_id), parseUserId(fields.value));
    default:
      return { errors: { 'customer.type': 'must be phone, bank_account or user_id' } };
  }
}

function merge(extra: Record<string, string>, parsed: Identified): Identified {
  const errors = { ...extra, ...('errors' in parsed ? parsed.errors : {}) };
  return Object.keys(errors).length > 0 ? { errors } : parsed;
}

function unknownFields(
  fields: Record<string, unknown>,
  allowed: readonly string[],
): Record<string, string> {
  const extra = Object.keys(fields).filter((name) => !allowed.includes(name));
  return Object.fromEntries(
    extra.map((name) => [`customer.${name}`, 'is not a field of this type of customer']),
  );
}

/** A number as nearly all are sent, which is its own normal form: to ask the library takes 40 µs. */
const BRITISH_MOBILE = /^\+447\d{9}$/;

/** Accepts possible numbers (length, not range): the numbers of documentation examples are in no range. */
function parsePhone(value: unknown, field: string): Identified {
  if (typeof value === 'string' && BRITISH_MOBILE.test(value))
    return { customer: { type: 'phone', value } };
  const text = typeof value === 'string' ? plainPhone(value) : '';
  if (!text.startsWith('+'))
    return {
      errors: { [field]: 'must be a phone number in international format, starting with +' },
    };
  const number = parsePhoneNumberFromString(text, { extract: false });
  if (number === undefined || !number.isPossible() || number.ext !== undefined)
    return { errors: { [field]: 'is not a possible phone number of its country' } };
  return { customer: { type: 'phone', value: number.number } };
}

function parseBankAccount({ sort_code, account_number }: Record<string, unknown>): Identified {
  const errors: Record<string, string> = {};
  const sortCode = typeof sort_code === 'string' ? parseSortCode(sort_code) : null;
  if (sortCode === null) errors['customer.sort_code'] = 'must be 6 digits';
  const accountNumber =
    typeof account_number === 'string' ? parseAccountNumber(account_number) : null;
  if (accountNumber === null)
    errors['customer.account_number'] =
      'must be 8 digits (6 and 7 are padded with zeros on the left)';
  if (sortCode === null || accountNumber === null) return { errors };
  return {
    customer: { type: 'bank_account', sort_code: sortCode, account_number: accountNumber },
  };
}

function parseUserId(value: unknown): Identified {
  if (typeof value !== 'string' || value === '')
    return { errors: { 'customer.value': 'must be the id of a customer' } };
  return { customer: { type: 'user_id', value } };
}
