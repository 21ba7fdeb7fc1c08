import { hasRefusedWord, wireText } from '../platform/values/wire-text.ts';
import type { Merchant } from './merchant.ts';

/** Leaves room for what follows it: docs/rules/schedules.md#statement-reference. */
const LONGEST_STATEMENT_NAME = 10;
/** For a name without a word that banks take. */
const NAMELESS = 'PAYMENT';
/** Says nothing of whose it is. */
const ARTICLE = 'THE';

/** Returns what a merchant's default references begin with: what it has set, or else the first word of its name. */
export function statementNameOf({
  statementName,
  name,
}: Pick<Merchant, 'statementName' | 'name'>): string {
  if (statementName !== null) return statementName;
  const words = wireText(name, name.length)
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '' && word !== ARTICLE && !hasRefusedWord(word));
  return (words[0] ?? NAMELESS).slice(0, LONGEST_STATEMENT_NAME);
}

/** Returns a statement name as it is stored. */
export const normalStatementName = (text: string | null): string | null =>
  text?.toUpperCase() ?? null;

/** Explains what is wrong with a statement name; null: nothing. */
export function statementNameError(text: string): string | null {
  if (!/^[A-Za-z0-9]{1,10}$/.test(text))
    return `must be 1 to ${LONGEST_STATEMENT_NAME} letters and digits`;
  return hasRefusedWord(text) ? 'must not contain a word that banks refuse' : null;
}
