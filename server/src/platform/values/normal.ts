// One normal form for each kind of value that people write in several ways. What is hashed, compared, indexed or used as an
// identity goes through these first: docs/rules/schedules.md#phone-and-account-numbers.

/** Marks that cannot be seen, such as those that address books put around a number. */
const INVISIBLE = /\p{Cf}/gu;
const DASH = /[\p{Pd}\u2212\u2043]/gu;
const BLANK = /[\p{Zs}\t]/gu;

/** Returns a text as it looks: without invisible marks, in narrow letters and digits, with plain blanks and hyphens. */
export function plainText(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .replace(DASH, '-')
    .replace(BLANK, ' ')
    .trim();
}

/** Returns a phone number as a reader of numbers takes it: `+` for `00`, and without a 0 in brackets. */
export function plainPhone(text: string): string {
  return plainText(text)
    .replace(/^'/, '')
    .replace(/^00\s*(?=[1-9])/, '+')
    .replace(/^(\+[\d\s.-]*)\(0\)/, '$1');
}

function digitsOf(text: string): string | null {
  const bare = plainText(text)
    .replace(/^'/, '') // with which spreadsheets are told that digits are text
    .replace(/[\s-]/g, '');
  return /^[0-9]+$/.test(bare) ? bare : null;
}

/** Reads a sort code of 6 digits, hyphens and blanks allowed. */
export function parseSortCode(text: string): string | null {
  const digits = digitsOf(text);
  return digits?.length === 6 ? digits : null;
}

/** Reads an account number of 8 digits; 6 and 7 are padded with zeros on the left. */
export function parseAccountNumber(text: string): string | null {
  const digits = digitsOf(text);
  return digits !== null && digits.length >= 6 && digits.length <= 8
    ? digits.padStart(8, '0')
    : null;
}

/** The marks that are typed for an apostrophe, and the letters and signs that stand for one. */
export const APOSTROPHE = /['`´‘’‛′‵ʹʻʼʽˈˊˋꞋꞌ＇]/gu;

/** Letters that have no mark to drop: Unicode takes none of them apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ɖ: 'd', þ: 'th', æ: 'ae', œ: 'oe', ħ: 'h', ı: 'i', ȷ: 'j' },
  ...{ ŧ: 't', ŋ: 'n', ĸ: 'k', ƒ: 'f', ƀ: 'b', ɓ: 'b', ɗ: 'd', ɠ: 'g', ɨ: 'i', ƙ: 'k', ɫ: 'l' },
  ...{ ɲ: 'n', ɵ: 'o', ƥ: 'p', ʈ: 't', ƭ: 't', ʉ: 'u', ʋ: 'v', ƴ: 'y', ƶ: 'z', ǝ: 'e', ə: 'e' },
  ß: 'ss',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'giu');

/** Returns a text in plain letters, in the case that it has: without accents and invisible marks. */
export function foldLetters(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(LETTER, plainLetter);
}

function plainLetter(letter: string): string {
  const small = letter.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  const plain = LETTERS[small] ?? small;
  return letter === small ? plain : plain[0]?.toUpperCase() + plain.slice(1);
}

/** Returns a text as it is searched: in lower case and plain letters, without accents, apostrophes and invisible marks. */
export function foldText(text: string): string {
  return foldLetters(text.replace(APOSTROPHE, '')) // before it is taken apart: some of them become a blank and a mark
    .replace(APOSTROPHE, '')
    .toLowerCase()
    .toUpperCase() // “ß”, “ẞ” and “SS” are one
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '') // of “İ”
    .replaceAll('ς', 'σ'); // what stands beside a capital “Σ” makes it one or the other
}

/** Returns an email address as it is compared. */
export const plainEmail = (text: string): string => plainText(text).toLowerCase();

/** Writes a value of JSON so that equal values are equal texts: names in one order, numbers in one form. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? '';
}

/** A list of names and values cannot be taken for an array of the value: arrays stay arrays, objects become `{"": […]}`. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  // Not an object again: it would put names that look like numbers first, whatever their order here.
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { '': entries.map(([name, inner]) => [name, sorted(inner)]) };
}
