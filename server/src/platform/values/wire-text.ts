import { APOSTROPHE, foldLetters } from './normal.ts';

// What banks take in names and references is less than what the standard allows, and differs from bank to bank. Letters, digits,
// blanks, `.` and `-` are what all of them take: docs/rules/consents.md#names-and-references-at-the-bank.

/** The longest name that Faster Payments passes on. */
const LONGEST_NAME = 40;
/** In place of a person's name of which nothing can be sent: accounts are found by their numbers. */
const NAMELESS = 'Account holder';
/** The longest reference that Faster Payments passes on. */
export const LONGEST_WIRE_REFERENCE = 18;

/** What a bank takes for an attack, in whatever case and place. */
const REFUSED_WORDS = /echo|delete|config|exec|system|passthru/gi;

const WORDS: Readonly<Record<string, string>> = { '&': ' and ', '+': ' plus ', '@': ' at ' };
const SIGN = /[&+@]/g;
const DASH = /[\p{Pd}\u2212\u2043/]/gu;
const BETWEEN_WORDS = /[^A-Za-z0-9.-]+/g;

/**
 * Returns a name or reference as it is sent to banks and issuers: the characters that every one of them takes, at most `longest`
 * of them. The same text always gives the same bytes. Empty where nothing is left of it.
 */
export function wireText(text: string, longest: number): string {
  return foldLetters(text.replace(APOSTROPHE, ''))
    .replace(SIGN, (sign) => WORDS[sign] ?? ' ')
    .replace(DASH, '-')
    .replace(BETWEEN_WORDS, ' ')
    .trim()
    .slice(0, longest)
    .trim();
}

/** Returns a name as it is sent to banks and issuers; never empty. */
export const wireName = (name: string): string =>
  hasWireText(name) ? wireText(name, LONGEST_NAME) : NAMELESS;

/** Returns what a bank would take for an attack in a reference as it leaves, after `wireText`; null: nothing. */
export const refusedWordIn = (text: string): string | null =>
  text.match(REFUSED_WORDS)?.[0] ?? null;

/** Returns a reference without what a bank would take for an attack, nor what its neighbours then spell. */
export const withoutRefusedWords = (text: string): string =>
  refusedWordIn(text) === null ? text : withoutRefusedWords(text.replace(REFUSED_WORDS, 'X'));

/** Whether anything a reader would take for a name is left of a text on its way to a bank. */
export const hasWireText = (text: string): boolean => /[A-Za-z0-9]/.test(wireText(text, 1_000));
