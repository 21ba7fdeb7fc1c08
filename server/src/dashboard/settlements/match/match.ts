import { referenceLetters } from '../../../settlements/settlement.ts';
import type { BankLine, BankStatement } from './bank-statement.ts';

/** A settlement, as a bank statement is compared with it. */
export interface Expected {
  settlementId: string;
  reference: string;
  pence: number;
  /** Whether its money has left: nothing else is missed on a statement. */
  isPaid: boolean;
  /** The London day on which it was paid out, or is to be. */
  day: Temporal.PlainDate;
}

/** A line, and the settlement that it is, or that its amount and day make likely. */
export interface Match {
  line: BankLine;
  settlement: Expected;
  by: 'reference' | 'amount_and_day';
  /** Another line of the statement has the same reference: a pay-out that was tried again, or came back between. */
  isRepeated: boolean;
  /** The line has another amount than the settlement. */
  isOtherAmount: boolean;
}

export interface Matches {
  matched: Match[];
  /** Credits that are no settlement, as far as the statement says. */
  unmatched: BankLine[];
  /** Settlements that were paid out in the period, and are on no line. */
  missing: Expected[];
  unread: BankStatement['unread'];
  period: BankStatement['period'];
}

/** How many days after the pay-out a bank may book it: a long weekend. */
const BOOKED_WITHIN = 4;

/**
 * Finds the settlement of each credit: by its reference, or else the only way left is a guess, by amount and day. Each settlement
 * is guessed once at most.
 */
export function matchStatement(
  statement: BankStatement,
  settlements: readonly Expected[],
): Matches {
  const byReference = new Map(settlements.map((one) => [one.reference.toUpperCase(), one]));
  const lengths = [...new Set([...byReference.keys()].map((key) => key.length))];
  const seen = new Set<Expected>();
  const matched = new Map<BankLine, Match>();
  for (const line of statement.credits) {
    const settlement = findReference(line.text, byReference, lengths);
    if (settlement === null) continue;
    const isRepeated = seen.has(settlement);
    seen.add(settlement);
    const isOtherAmount = line.pence.length > 0 && !line.pence.includes(settlement.pence);
    matched.set(line, { line, settlement, by: 'reference', isRepeated, isOtherAmount });
  }
  const rest = statement.credits.filter((line) => !matched.has(line));
  for (const line of rest.toSorted(byDay)) {
    const settlement = settlements.find(
      (one) => one.isPaid && !seen.has(one) && isLikely(line, one),
    );
    if (settlement === undefined) continue;
    seen.add(settlement);
    const guess = { by: 'amount_and_day', isRepeated: false, isOtherAmount: false } as const;
    matched.set(line, { line, settlement, ...guess });
  }
  const unmatched = statement.credits.filter((line) => !matched.has(line));
  const period = statement.period ?? periodOf(statement.credits);
  return {
    matched: statement.credits.flatMap((line) => matched.get(line) ?? []),
    unmatched: unmatched.filter(isRead),
    missing: settlements.filter((one) => one.isPaid && !seen.has(one) && isWithin(one.day, period)),
    unread: [...statement.unread, ...unmatched.filter((line) => !isRead(line)).map(unreadLine)],
    period,
  };
}

/** A sum below the lines has no day: it is no credit. */
const isRead = ({ pence, date }: BankLine): boolean => pence.length > 0 && date !== null;

function unreadLine({ place, pence }: BankLine): BankStatement['unread'][number] {
  const other = pence.length === 0 ? 'an amount such as 1,234.50' : 'a day such as 30/03/2026';
  return { place, why: `${place} has neither the reference of a settlement nor ${other}` };
}

/** Returns the settlement whose reference is in a text, whatever blanks, marks and case the bank made of it. */
function findReference(
  text: string,
  byReference: ReadonlyMap<string, Expected>,
  lengths: readonly number[],
): Expected | null {
  const letters = referenceLetters(text);
  for (const length of lengths)
    for (let start = 0; start + length <= letters.length; start++) {
      const found = byReference.get(letters.slice(start, start + length));
      if (found !== undefined) return found;
    }
  return null;
}

function byDay({ date: a }: BankLine, { date: b }: BankLine): number {
  return a === null || b === null ? 0 : Temporal.PlainDate.compare(a, b);
}

function isLikely({ date, pence }: BankLine, { day, pence: paid }: Expected): boolean {
  if (date === null || !pence.includes(paid)) return false;
  const { days } = day.until(date);
  return days >= 0 && days <= BOOKED_WITHIN;
}

/** Returns the days that the lines are of; null: none names its day. */
export function periodOf(lines: readonly BankLine[]): BankStatement['period'] {
  const days = lines.flatMap(({ date }) => date ?? []).sort(Temporal.PlainDate.compare);
  const [from, to] = [days[0], days.at(-1)];
  return from === undefined || to === undefined ? null : { from, to };
}

const isWithin = (day: Temporal.PlainDate, period: BankStatement['period']): boolean =>
  period !== null &&
  Temporal.PlainDate.compare(day, period.from) >= 0 &&
  Temporal.PlainDate.compare(day, period.to) <= 0;
