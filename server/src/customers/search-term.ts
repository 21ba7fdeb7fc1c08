import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isId } from '../platform/values/ids.ts';
import { plainPhone, plainText } from '../platform/values/normal.ts';

/** The possible meanings of a text typed into a search box. */
export interface SearchTerm {
  /** The object with this id, and nothing else. */
  object: { type: 'schedule' | 'customer' | 'payment'; id: string } | null;
  /** Possible phone numbers in E.164. */
  phones: string[];
  /** Possible accounts: sort code and account number together, 14 digits. */
  accounts: string[];
  /** The text itself, trimmed; empty: no search. */
  text: string;
}

const UK_NUMBERS = { defaultCountry: 'GB', extract: false } as const;
const PREFIXES = { schedule: 'sch', customer: 'cus', payment: 'pay' } as const;
const ONLY_A_NUMBER = /^\+?[\d\s().\-/]+$/;
const SHORTEST_PHONE = 7;

const SORT_CODE = String.raw`(\d{2}[- ]?\d{2}[- ]?\d{2})`;
const ACCOUNT_NUMBER = String.raw`(\d{6,8})`;
const ACCOUNT = new RegExp(`^${SORT_CODE}[\\s,/-]*${ACCOUNT_NUMBER}$`);
const ACCOUNT_REVERSED = new RegExp(`^${ACCOUNT_NUMBER}[\\s,/-]+${SORT_CODE}$`);

/**
 * Reads a search: an id, a phone number in any usual form (British if it names no country), sort code and account number in
 * either order, else text.
 */
export function parseSearch(search: string | undefined): SearchTerm {
  const text = (search ?? '').trim();
  const plain = plainText(text);
  const types = ['schedule', 'customer', 'payment'] as const;
  const type = types.find((one) => isId(PREFIXES[one], text));
  if (type !== undefined) return { object: { type, id: text }, phones: [], accounts: [], text };
  return { object: null, phones: phonesOf(plainPhone(text)), accounts: accountsOf(plain), text };
}

function phonesOf(text: string): string[] {
  const digits = text.replaceAll(/\D/g, '');
  if (!ONLY_A_NUMBER.test(text) || digits.length < SHORTEST_PHONE) return [];
  const numbers = [text, `+${digits}`].flatMap((form) => {
    const number = parsePhoneNumberFromString(form, UK_NUMBERS);
    return number?.isPossible() === true ? [number.number] : [];
  });
  return [...new Set<string>(numbers)];
}

function accountsOf(text: string): string[] {
  const read = (sortCode = '', accountNumber = ''): string =>
    sortCode.replaceAll(/\D/g, '') + accountNumber.padStart(8, '0');
  const straight = ACCOUNT.exec(text);
  const reversed = ACCOUNT_REVERSED.exec(text);
  return [
    ...new Set([
      ...(straight === null ? [] : [read(straight[1], straight[2])]),
      ...(reversed === null ? [] : [read(reversed[2], reversed[1])]),
    ]),
  ];
}
