import { foldLetters, plainText } from '../../../platform/values/normal.ts';
import {
  type CsvRecord,
  DELIMITERS,
  firstCells,
  recordsOf,
} from '../../../schedules/import/csv.ts';
import type { BankLine, BankStatement } from './bank-statement.ts';
import { amountOf, dayIn, isCredit, isDebit } from './bank-values.ts';

/** The columns of a bank's CSV; whatever else it has is text. -1: it has no such column. */
interface Columns {
  date: number;
  /** What came in; where it has neither this nor `debit`, there is one column for both ways. */
  credit: number;
  debit: number;
  amount: number;
  balance: number;
  currency: number;
}

/** The heading of a table. */
interface Heading {
  /** How many lines of the file stand above it. */
  above: number;
  delimiter: string;
  width: number;
  columns: Columns;
}

/** How many lines may stand above the heading: banks put the account and the period there. */
const MAX_BEFORE_HEADING = 20;
/** How many lines a heading may go on over. */
const MAX_OF_HEADING = 10;

const DATE = /\b(date|day|datum|timestamp|buchungs?(tag|datum))\b/i;
const CREDIT =
  /^(credits?( amount| value)?|((paid|money|amount) )?in|deposits?|received|receipts?|haben)( gbp)?$/i;
const DEBIT =
  /^(debits?( amount| value)?|((paid|money|amount) )?out|withdrawals?|payments?|soll)( gbp)?$/i;
const AMOUNT = /^(amount|value|betrag|umsatz)( gbp)?$/i;
const SOME_AMOUNT = /^(?!.*\b(date|balance)\b).*\b(amount|value|betrag|umsatz)\b/i;
const CURRENCY = /^(((payment|account) )?currency|ccy|wahrung)$/i;

/** Reads a CSV with any columns, one of them a date and one an amount; null: no line of it is such a heading. */
export function readTable(text: string): BankStatement | null {
  const lines = text.split('\n');
  const heading = findHeading(lines);
  if (heading === null) return null;
  // Blank lines in place of what stands above, so that the others are counted as they stand in the file.
  const table = '\n'.repeat(heading.above) + lines.slice(heading.above).join('\n');
  const { delimiter } = heading;
  const credits: BankLine[] = [];
  const unread: BankStatement['unread'] = [];
  let debits = 0;
  for (const record of recordsOf(table, { field: 'statement', delimiter }).slice(1)) {
    const place = `Line ${record.begins}`;
    const line = readRecord(record, heading);
    if (line === 'debit') debits++;
    else if ('why' in line) unread.push({ place, why: `${place}${line.why}` });
    else credits.push({ place, ...line });
  }
  return { format: 'table', credits, debits, unread, period: null };
}

/** Returns the first heading, separated by what gives it the most cells. */
function findHeading(lines: readonly string[]): Heading | null {
  const begins = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at]));
  for (const above of begins.slice(0, MAX_BEFORE_HEADING)) {
    const top = lines.slice(above, above + MAX_OF_HEADING).join('\n');
    const found = DELIMITERS.flatMap((delimiter) => {
      const cells = firstCells(top, delimiter) ?? [];
      const columns = readColumns(cells);
      return columns === null ? [] : [{ above, delimiter, width: cells.length, columns }];
    });
    const [widest] = found.toSorted((a, b) => b.width - a.width);
    if (widest !== undefined) return widest;
  }
  return null;
}

function readColumns(cells: readonly string[]): Columns | null {
  if (cells.some((cell) => amountOf(cell) !== null || dayIn(cell) !== null)) return null;
  const names = cells.map((cell) =>
    foldLetters(cell)
      .replaceAll(/[^A-Za-z]+/g, ' ')
      .trim(),
  );
  const at = (form: RegExp): number => names.findIndex((name) => form.test(name));
  const columns = {
    date: at(DATE),
    credit: at(CREDIT),
    debit: at(DEBIT),
    amount: at(AMOUNT) >= 0 ? at(AMOUNT) : at(SOME_AMOUNT),
    balance: at(/\bbalance\b/i),
    currency: at(CURRENCY),
  };
  const isAmount = [columns.credit, columns.debit, columns.amount].some((one) => one >= 0);
  return columns.date >= 0 && isAmount ? columns : null;
}

function readRecord(
  { cells }: CsvRecord,
  { columns, width }: Heading,
): Omit<BankLine, 'place'> | 'debit' | { why: string } {
  const cell = (at: number): string => plainText(cells[at] ?? '');
  if (cells.slice(width).some((one) => plainText(one) !== ''))
    return { why: ' has more cells than the heading: a text that has a comma in it needs quotes' };
  const pence = penceOf(cells, columns);
  if (typeof pence === 'string') return { why: pence };
  if (pence < 0) return 'debit';
  if (pence === 0) return { why: ' has no amount' };
  const currency = cell(columns.currency);
  if (!/^(gbp|£)?$/i.test(currency)) return { why: ` is in ${currency}` };
  const figures = Object.values(columns);
  const words = cells.filter((one, at) => !figures.includes(at) && plainText(one) !== '');
  return {
    date: dayIn(cell(columns.date)),
    pence: [pence],
    text: words.map(plainText).join(' '),
  };
}

/** Returns the amount of a record, below zero out of the account; a text: why it has none that can be read. */
function penceOf(
  cells: readonly string[],
  { credit, debit, amount, balance }: Columns,
): number | string {
  const isSplit = credit >= 0 || (debit >= 0 && amount < 0);
  const written = (isSplit ? [credit, debit] : [amount]).map((at) => plainText(cells[at] ?? ''));
  const read = written.map((cell) => (/^-?$/.test(cell) ? 0 : amountOf(cell)));
  const wrong = written.find((_, at) => read[at] === null);
  if (wrong !== undefined) return `: “${wrong}” is no amount such as 1,234.50`;
  const [first, out] = [read[0] ?? 0, read[1] ?? 0];
  if (first !== 0 && out !== 0) return ' has both a debit and a credit';
  // Behind the balance the mark may be the balance's, where the amount has one of its own.
  const isOfBalance = balance >= 0 && cells.slice(0, balance).some(isCredit);
  const isMarked =
    !isSplit && cells.some((cell, at) => isDebit(cell) && !(isOfBalance && at === balance + 1));
  return out !== 0 || isMarked ? -Math.abs(first + out) : first;
}
