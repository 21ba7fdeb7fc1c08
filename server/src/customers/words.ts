import { foldText, plainEmail, plainText } from '../platform/values/normal.ts';
import { parseSearch } from './search-term.ts';

/** What identifies a customer and what is known about them, in plain text. */
export interface Searchable {
  /** E.164. */
  phone: string | null;
  /** Sort code and account number together. */
  account: string | null;
  name: string | null;
  email: string | null;
  reference: string | null;
}

/** The endings of a number that are indexed, in digits. What is typed may be longer: the rest is compared after opening. */
const ENDINGS = [7, 4] as const;
const MAX_DIGITS = 15;
const MAX_WORDS = 30;
/** Longer words are cut: an entry of an index has a limit. */
const LONGEST_WORD = 64;
const ONLY_A_NUMBER = /^\+?[\d\s().\-/*]+$/;

/** Returns the words of a text as they are searched: in lower case and plain letters, without accents and apostrophes. */
export function wordsOf(text: string, most = MAX_WORDS): string[] {
  const plain = foldText(text);
  const words = (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((one) => one.slice(0, LONGEST_WORD));
  return [...new Set(words)].slice(0, most);
}

const wordEntry = (text: string): string => `word:${text}`;
const email = (text: string): string => `email:${plainEmail(text)}`;
const reference = (text: string): string => `reference:${text.trim()}`;

/** Returns the entries of the index by which a customer is found; each is stored as a blind index of its own. */
export function indexEntries(customer: Searchable): string[] {
  const [local = ''] = (customer.email ?? '').split('@');
  const numbers = [customer.phone, customer.account].filter((number) => number !== null);
  return [
    ...new Set([
      ...wordsOf(`${customer.name ?? ''} ${local}`).map(wordEntry),
      ...(customer.email === null ? [] : [email(customer.email)]),
      ...(customer.reference === null ? [] : [reference(customer.reference)]),
      ...numbers.flatMap((number) => ENDINGS.map((n) => `ending:${number.slice(-n)}`)),
    ]),
  ];
}

/** The possible meanings of what was typed to find a customer. A customer who matches one of them is found. */
export interface CustomerSearch {
  customerId: string | null;
  /** Complete numbers: E.164, and sort code with account number. */
  phones: string[];
  accounts: string[];
  /** Entries of the index of which one is enough. */
  anyOf: string[];
  /** Entries of the index that must all be there: the words of a name. */
  allOf: string[];
  /** The end of a phone or account number: its entry, and all digits that were typed. */
  ending: { entry: string; digits: string } | null;
}

/** Reads what was typed: an id, a number or its end, an email, a reference, or words of a name. */
export function readSearch(typed: string): CustomerSearch {
  const { object, phones, accounts, text } = parseSearch(typed);
  return {
    customerId: object?.type === 'customer' ? object.id : null,
    phones,
    accounts,
    anyOf: text === '' ? [] : [email(text), reference(text)],
    allOf: wordsOf(text).map(wordEntry),
    ending: endingOf(plainText(text)),
  };
}

function endingOf(text: string): CustomerSearch['ending'] {
  const digits = text.replaceAll(/\D/g, '');
  const length = ENDINGS.find((n) => n <= digits.length);
  if (!ONLY_A_NUMBER.test(text) || length === undefined || digits.length > MAX_DIGITS) return null;
  return { entry: `ending:${digits.slice(-length)}`, digits };
}
