import { newId } from './identifiers.ts';

/** A UK account as the partner names it. */
export interface NamedAccount {
  sort_code: string;
  account_number: string;
  name: string;
}

/** The answer to a name check; `name` comes with a close match alone. */
export interface NameCheck {
  check_id: string;
  result: 'match' | 'close_match' | 'no_match' | 'unavailable';
  reason: 'no_such_account' | 'bank_takes_no_part' | null;
  name: string | null;
}

/** The documented accounts of name checks, by their number; every other account is held by whoever the name says. */
export const NAMED_ACCOUNTS = {
  /** Held by Fernhill Broadband Ltd: names are compared with it word by word. */
  fernhill: '44444444',
  /** Its bank takes no part in Confirmation of Payee. */
  unchecked: '33333333',
  /** Does not exist: a payout to it fails too. */
  missing: '99999999',
} as const;

const HOLDER = 'Fernhill Broadband Ltd';
const SAME_WORDS: Readonly<Record<string, string>> = { limited: 'ltd', '&': 'and' };
/** They say what a company is, and not which. */
const LEGAL_FORMS = new Set(['ltd', 'plc', 'llp']);
const CLOSE_ABOVE = 0.5;

/** Says whether the name is that of the account's holder. */
export function checkName({ account_number, name }: NamedAccount): NameCheck {
  const answer = { check_id: newId('chk'), reason: null, name: null };
  switch (account_number) {
    case NAMED_ACCOUNTS.missing:
      return { ...answer, result: 'no_match', reason: 'no_such_account' };
    case NAMED_ACCOUNTS.unchecked:
      return { ...answer, result: 'unavailable', reason: 'bank_takes_no_part' };
    case NAMED_ACCOUNTS.fernhill: {
      const result = compareNames(name, HOLDER);
      return { ...answer, result, name: result === 'close_match' ? HOLDER : null };
    }
    default:
      return { ...answer, result: 'match' };
  }
}

/**
 * Compares two names by their words, whatever their order, case and accents. Every word is shared: a match; more than half of
 * those that are no legal form: a close match.
 */
export function compareNames(asked: string, held: string): 'match' | 'close_match' | 'no_match' {
  const [a, b] = [wordsOf(asked), wordsOf(held)];
  if (a.size === b.size && a.isSubsetOf(b)) return 'match';
  const [own, theirs] = [a.difference(LEGAL_FORMS), b.difference(LEGAL_FORMS)];
  const shared = own.intersection(theirs).size;
  return shared > CLOSE_ABOVE * Math.max(own.size, theirs.size) ? 'close_match' : 'no_match';
}

function wordsOf(name: string): Set<string> {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}&\s-]/gu, '');
  const words = plain.split(/[\s-]+/).filter((word) => word !== '');
  return new Set(words.map((word) => SAME_WORDS[word] ?? word));
}
