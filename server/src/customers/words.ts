import { APOSTROPHE, foldText, plainEmail, plainText } from '../platform/values/normal.ts';
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
/** A word of a name is found by its beginnings of at least so many letters; a shorter one is found whole. */
const SHORTEST_BEGINNING = 3;
/** The most beginnings of one name: docs/decisions/0047-search-by-beginnings.md. */
const MAX_BEGINNINGS = 256;
/** The most beginnings that are tried for a word that nobody has. */
const MAX_ALIKE = 16;
/** Written together with the next word or apart: McDonald and Mc Donald, van Dyk and VanDyk. */
const PARTICLES = new Set(
  'o d mc mac fitz st de del di da do du la le van von der den ter ap ab al el bin ibn'.split(' '),
);
const ONLY_A_NUMBER = /^\+?[\d\s().\-/*]+$/;

/** Returns the words of a text as they are searched: in lower case and plain letters, without accents and apostrophes. */
export function wordsOf(text: string, most = MAX_WORDS): string[] {
  const plain = foldText(text);
  const words = (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map(cut);
  return [...new Set(words)].slice(0, most);
}

const cut = (word: string): string => [...word].slice(0, LONGEST_WORD).join('');

/** Returns the words of a text as somebody types them who leaves out hyphens, dots and blanks: `annemarie`, `mcdonald`, `jrr`. */
function joinedWordsOf(text: string): string[] {
  const words: string[] = [];
  let joined = '';
  for (const part of foldText(text).split(/\s+/u)) {
    const letters = part.replaceAll(/[^\p{L}\p{N}]/gu, '');
    joined += letters;
    if (PARTICLES.has(letters)) continue;
    if (joined !== '') words.push(cut(joined));
    joined = '';
  }
  return [...new Set(joined === '' ? words : [...words, joined])].slice(0, MAX_WORDS);
}

/** Returns the words of a name in each way that it may be typed: O’Neill has `oneill`, `o` and `neill`. */
export function wordsOfName(name: string): string[] {
  const apart = wordsOf(name.replaceAll(APOSTROPHE, ' '));
  return [...new Set([...wordsOf(name), ...apart, ...joinedWordsOf(name)])];
}

/** Returns the beginnings of words that are shorter than their word, the shortest first. */
function beginningsOf(words: readonly string[]): string[] {
  const all = words.flatMap((word) => {
    const letters = [...word];
    const lengths = letters.keys().drop(SHORTEST_BEGINNING);
    return [...lengths.map((length) => letters.slice(0, length).join(''))];
  });
  return [...new Set(all)].sort((a, b) => a.length - b.length).slice(0, MAX_BEGINNINGS);
}

const wordEntry = (text: string): string => `word:${text}`;
const beginningEntry = (text: string): string => `begins:${text}`;
const email = (text: string): string => `email:${plainEmail(text)}`;
const reference = (text: string): string => `reference:${text.trim()}`;

/** Returns the entries of the index by which a customer is found; each is stored as a blind index of its own. */
export function indexEntries(customer: Searchable): string[] {
  const [local = ''] = (customer.email ?? '').split('@');
  const name = wordsOfName(customer.name ?? '');
  const numbers = [customer.phone, customer.account].filter((number) => number !== null);
  return [
    ...new Set([
      // As the previous version looks for them.
      ...wordsOf(`${customer.name ?? ''} ${local}`).map(wordEntry),
      ...name.map(wordEntry),
      ...beginningsOf(name).map(beginningEntry),
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
  /** The possible readings as a name. For each word or beginning typed, the longest first: the entries of which one is enough. */
  names: (readonly string[])[][];
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
    names: readingsOf(text).map((words) => words.map(entriesOfTyped)),
    ending: endingOf(plainText(text)),
  };
}

/** Returns what was typed as words of a name, the longest first: as it stands, and joined if that differs. */
export function readingsOf(text: string): string[][] {
  const readings = [wordsOf(text), joinedWordsOf(text)].map((words) =>
    words.sort((a, b) => b.length - a.length),
  );
  const distinct = new Map(readings.map((words) => [words.join(' '), words]));
  return [...distinct.values()].filter((words) => words.length > 0);
}

/** Returns the entries of which a customer has one if a word of the name is this one or begins so. */
export function entriesOfTyped(word: string): string[] {
  const beginning = [...word].length < SHORTEST_BEGINNING ? [] : [beginningEntry(word)];
  return [wordEntry(word), ...beginning];
}

/** Returns, for each shorter beginning of a word, the longest first, the entries of which a customer has one who shares it. */
export const entriesAlike = (word: string): string[][] =>
  beginningsOf([word]).slice(0, MAX_ALIKE).reverse().map(entriesOfTyped);

function endingOf(text: string): CustomerSearch['ending'] {
  const digits = text.replaceAll(/\D/g, '');
  const length = ENDINGS.find((n) => n <= digits.length);
  if (!ONLY_A_NUMBER.test(text) || length === undefined || digits.length > MAX_DIGITS) return null;
  return { entry: `ending:${digits.slice(-length)}`, digits };
}
