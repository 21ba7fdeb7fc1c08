import { refusedWordIn, wireText } from '../platform/values/wire-text.ts';
import type { Merchant } from './merchant.ts';

/** Leaves room for what follows it: docs/rules/schedules.md#statement-reference. */
const LONGEST_STATEMENT_NAME = 10;
/** For a name without a word that banks take. */
const NAMELESS = 'PAYMENT';
/** Say nothing of whose it is. */
const FILLERS: ReadonlySet<string> = new Set(['THE', 'AND', 'LTD', 'LIMITED', 'PLC', 'LLP']);
/** A shorter word is seldom what a business is known by: “Dr”, “3”. */
const SHORTEST_WORD = 3;

/**
 * Returns what a merchant's default references begin with: what it has set, or else the first word of its name that says whose
 * it is; of “B&Q”, all of it. See docs/rules/schedules.md#statement-reference.
 */
export function statementNameOf({
  statementName,
  name,
}: Pick<Merchant, 'statementName' | 'name'>): string {
  if (statementName !== null) return statementName;
  const words = wireText(name, Number.POSITIVE_INFINITY)
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => !FILLERS.has(word) && refusedWordIn(word) === null);
  const whose = words.find((word) => word.length >= SHORTEST_WORD) ?? words.join('');
  const isTaken = whose !== '' && refusedWordIn(whose) === null;
  return (isTaken ? whose : NAMELESS).slice(0, LONGEST_STATEMENT_NAME);
}

/** Returns a statement name as it is stored. */
export const normalStatementName = (text: string | null): string | null =>
  text?.toUpperCase() ?? null;

/** Explains what is wrong with a statement name; null: nothing. */
export function statementNameError(text: string): string | null {
  if (!/^[A-Za-z0-9]{1,10}$/.test(text))
    return `must be 1 to ${LONGEST_STATEMENT_NAME} letters and digits`;
  return refusedWordIn(text) !== null ? 'must not contain a word that banks refuse' : null;
}
