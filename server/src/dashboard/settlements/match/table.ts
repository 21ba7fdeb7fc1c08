import { plainText } from '../../../platform/values/normal.ts';
import { type CsvRecord, recordsOf } from '../../../schedules/import/csv.ts';
import type { BankLine, BankStatement } from './bank-statement.ts';
import { amountOf, dayIn } from './bank-values.ts';

/** The columns of a bank's CSV; whatever else it has is text. */
interface Columns {
  date: number;
  /** What came in; -1: there is one column for both ways. */
  credit: number;
  debit: number;
  amount: number;
  balance: number;
}

/** How many lines may stand above the heading: banks put the account and the period there. */
const MAX_BEFORE_HEADING = 20;
/** What a cell of its own says of an amount without a sign. */
const IS_DEBIT = /^(d|dr|dbit|debit|out|paid out)$/i;

const isDebit = (cell: string): boolean => IS_DEBIT.test(plainText(cell));

const CREDIT =
  /^(credits?( amount)?|((paid|money|amount) )?in|deposits?|received|receipts?)( gbp)?$/i;
const DEBIT = /^(debits?( amount)?|((paid|money|amount) )?out|withdrawals?|payments?)( gbp)?$/i;

/** Reads a CSV with any columns; null: no line of it is a heading that names an amount. */
export function readTable(text: string): BankStatement | null {
  const records = recordsOf(text, 'statement');
  const place = records
    .slice(0, MAX_BEFORE_HEADING)
    .findIndex(({ cells }) => readColumns(cells) !== null);
  const columns = readColumns(records[place]?.cells ?? []);
  if (columns === null) return null;
  const credits: BankLine[] = [];
  const unread: BankStatement['unread'] = [];
  let debits = 0;
  for (const record of records.slice(place + 1)) {
    const line = readRecord(record, columns);
    if (line === 'debit') debits++;
    else if ('why' in line) unread.push(line);
    else credits.push(line);
  }
  return { format: 'table', credits, debits, unread, period: null };
}

function readColumns(cells: readonly string[]): Columns | null {
  const names = cells.map((cell) =>
    plainText(cell)
      .replaceAll(/[^A-Za-z]+/g, ' ')
      .trim(),
  );
  const at = (is: (name: string) => boolean): number => names.findIndex(is);
  const columns = {
    date: at((name) => /\bdate\b/i.test(name)),
    credit: at((name) => CREDIT.test(name)),
    debit: at((name) => DEBIT.test(name)),
    amount: at((name) => /\b(amount|value)\b/i.test(name) && !/\bdate\b/i.test(name)),
    balance: at((name) => /\bbalance\b/i.test(name)),
  };
  const isAmount = columns.amount >= 0 || columns.credit >= 0;
  return cells.length > 1 && isAmount ? columns : null;
}

function readRecord(
  { cells, begins }: CsvRecord,
  columns: Columns,
): BankLine | 'debit' | { place: string; why: string } {
  const place = `Line ${begins}`;
  const cell = (at: number): string => plainText(cells[at] ?? '');
  const isSplit = columns.credit >= 0;
  const written = cell(isSplit ? columns.credit : columns.amount);
  const pence = written === '' ? 0 : amountOf(written);
  if (pence === null) return { place, why: `${place}: “${written}” is no amount such as 1,234.50` };
  if (pence < 0) return 'debit';
  if (isSplit ? pence === 0 && cell(columns.debit) !== '' : cells.some(isDebit)) return 'debit';
  if (pence === 0) return { place, why: `${place} has no amount` };
  const figures = Object.values(columns);
  const words = cells.filter((one, at) => !figures.includes(at) && plainText(one) !== '');
  return {
    place,
    date: dayIn(cell(columns.date)),
    pence: [pence],
    text: words.map(plainText).join(' '),
  };
}
