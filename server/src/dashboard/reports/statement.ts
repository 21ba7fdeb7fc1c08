import { formatInstant } from '../../platform/time/calendar.ts';
import { isAfter } from '../../platform/values/instants.ts';
import type { DayRange } from './range.ts';
import type { MovedRow } from './statement-store.ts';
import type { Statement, StatementKind } from './statement-view.ts';

/** What a posting is on the statement of the merchant's wallet. */
const KINDS: Readonly<Record<string, StatementKind>> = {
  move: 'payments',
  refund: 'refunds',
  fee: 'fees',
  net: 'recalled',
  settle: 'settlements',
  settle_back: 'came_back',
  refund_back: 'came_back',
  pay_out_return: 'came_back',
};

/** The lines of a summary that are always there, in their order. */
const FIXED_LINES: readonly StatementKind[] = ['payments', 'refunds', 'fees', 'settlements'];
const ORDER: readonly StatementKind[] = [
  'payments',
  'refunds',
  'fees',
  'recalled',
  'settlements',
  'came_back',
  'other',
];
/** The order within a day: what came in first, so that no line's balance is below zero, as the wallet's never is. */
const IN_FIRST: readonly StatementKind[] = [
  'payments',
  'came_back',
  'other',
  'refunds',
  'fees',
  'recalled',
  'settlements',
];

type Figures = Pick<Statement, 'opening' | 'closing' | 'owed' | 'summary' | 'lines'>;

/**
 * Returns the statement of a month over what moved from its first instant until now: the closing balance is the present one less
 * what moved after the month, the opening balance the closing one less what moved within it.
 */
export function statementOf(
  rows: readonly MovedRow[],
  present: { walletPence: number; owedPence: number },
): Figures {
  const wallet = rows.filter((row) => row.part === 'wallet');
  const after = sumPence(wallet.filter((row) => row.day === null));
  const within = wallet.filter((row) => row.day !== null);
  const closing = present.walletPence - after;
  const opening = closing - sumPence(within);
  const owedAfter = sumPence(rows.filter((row) => row.part === 'owed' && row.day === null));
  return {
    opening,
    closing,
    // The account is below zero by what the merchant owes.
    owed: 0 - (present.owedPence - owedAfter),
    summary: summaryOf(within),
    lines: linesOf(within, opening),
  };
}

function summaryOf(rows: readonly MovedRow[]): Statement['summary'] {
  const byKind = Map.groupBy(rows, kindOf);
  return ORDER.filter((kind) => FIXED_LINES.includes(kind) || byKind.has(kind)).map((kind) => {
    const own = byKind.get(kind) ?? [];
    return { kind, value: sumPence(own), count: own.reduce((sum, row) => sum + row.count, 0) };
  });
}

/** Returns a line for each day and kind, each with the balance after it. */
function linesOf(rows: readonly MovedRow[], opening: number): Statement['lines'] {
  const groups = [...Map.groupBy(rows, (row) => `${row.day} ${IN_FIRST.indexOf(kindOf(row))}`)];
  groups.sort(([a], [b]) => (a < b ? -1 : 1));
  let balance = opening;
  return groups.flatMap(([, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const value = sumPence(own);
    balance += value;
    return {
      date: String(first.day),
      kind: kindOf(first),
      value,
      count: own.reduce((sum, row) => sum + row.count, 0),
      balance,
    };
  });
}

/** Returns what a posting is on the statement. */
export const kindOf = ({ kind }: { kind: string }): StatementKind => KINDS[kind] ?? 'other';

const sumPence = (rows: readonly MovedRow[]): number =>
  rows.reduce((sum, row) => sum + row.value, 0);

/** Returns the days and instants of a statement, and whether its month is over. */
export function frameOf(
  range: DayRange,
  now: Temporal.Instant,
): Pick<Statement, 'month' | 'from' | 'to' | 'as_of' | 'is_complete'> {
  return {
    month: range.first.toPlainYearMonth().toString(),
    from: range.first.toString(),
    to: range.last.toString(),
    as_of: formatInstant(now),
    is_complete: !isAfter(range.until, now),
  };
}
