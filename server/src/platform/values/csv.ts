import { stringify } from 'csv-stringify/sync';

/** Marks, spaces and other characters that nobody sees before the first that counts. */
const INVISIBLE = /^[\p{C}\p{Z}\p{M}\s\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}]+/u;
/** What a spreadsheet reads as the beginning of a formula, and the minus sign of print. */
const BEGINS_FORMULA = new Set(['=', '+', '-', '@', '\u{2212}']);
const CONTROL = /^[\t\r\n]/;

/**
 * Returns a text that no spreadsheet reads as a formula: with an apostrophe before it if its first visible character, in any
 * width, would begin one.
 */
export function plainCell(text: string): string {
  const [first = ''] = text.replace(INVISIBLE, '');
  const isFormula = CONTROL.test(text) || BEGINS_FORMULA.has(first.normalize('NFKC'));
  return isFormula ? `'${text}` : text;
}

/** How rows become CSV. */
export interface CsvForm {
  /** The columns in order; absent: those of the first row. */
  columns?: readonly string[];
  /** Whether the first line names the columns. */
  header?: boolean;
  /** Formats a number; absent: as it is. Numbers are never formulas. */
  number?: (value: number, column: string) => string;
  /** How a line ends. */
  lines?: 'windows' | 'unix';
}

/** Formats rows as RFC 4180; every text goes through `plainCell`. All CSV that the service writes is written here. */
export function toCsv(
  rows: readonly object[],
  { columns, header = true, number, lines = 'windows' }: CsvForm = {},
): string {
  return stringify([...rows], {
    header,
    record_delimiter: lines,
    ...(columns === undefined ? {} : { columns: [...columns] }),
    cast: {
      string: plainCell,
      ...(number === undefined
        ? {}
        : { number: (value: number, { column }) => number(value, String(column)) }),
    },
  });
}
