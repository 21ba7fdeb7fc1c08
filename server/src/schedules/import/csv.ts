import { CsvError, parse } from 'csv-parse/sync';
import { invalid } from '../../platform/values/errors.ts';
import { plainText } from '../../platform/values/normal.ts';
import { type Cells, cellsOf, readHeading } from './columns.ts';

/** A line of the file below the heading. */
export interface CsvLine {
  /** Where it begins in the file, counted from 1. */
  line: number;
  cells: Cells;
  /** It has more cells than the heading. */
  isTooWide: boolean;
  /** It has text that was lost: the file was not read in its own encoding. */
  isMangled: boolean;
}

/** The most lines of one call. */
export const MAX_LINES = 200;
const LONGEST_LINE = 64 * 1024;
/** What decoders put where bytes are not of their encoding. */
const LOST = '\ufffd';

/**
 * Reads the heading and lines of a CSV file: separated by commas, semicolons or tabs, with or without a byte order mark. `from`:
 * where in the file the line after the heading begins. Throws 400 with `details.csv` for what is no such file.
 */
export function readCsv(text: string, from: number): CsvLine[] {
  const [heading, ...rows] = recordsOf(text);
  if (heading === undefined) throw invalid({ csv: 'is empty' });
  if (rows.length > MAX_LINES)
    throw invalid({ csv: `must have at most ${MAX_LINES} lines beside the heading` });
  const isEmpty = (at: number): boolean => rows.every(({ cells }) => isBlank(cells[at]));
  const known = readHeading(heading.cells, isEmpty);
  if ('error' in known) throw invalid({ csv: known.error });
  const { columns } = known;
  return rows.map(({ cells, begins }) => ({
    line: begins - heading.ends - 1 + from,
    cells: cellsOf(columns, cells),
    isTooWide: cells.slice(columns.length).some((cell) => !isBlank(cell)),
    isMangled: cells.some((cell) => cell.includes(LOST)),
  }));
}

const isBlank = (cell = ''): boolean => plainText(cell) === '';

/** A record of a CSV file. */
export interface CsvRecord {
  cells: string[];
  /** The lines on which it begins and ends. */
  begins: number;
  ends: number;
}

/** What may separate the cells of a CSV file. */
export const DELIMITERS = [',', ';', '\t'] as const;

const PARSING = {
  bom: true,
  max_record_size: LONGEST_LINE,
  record_delimiter: '\n',
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
};

/** Reads the records of a CSV file that have anything in them. Throws 400 with `details[field]` for what is no such file. */
export function recordsOf(
  text: string,
  { field = 'csv', delimiter = delimiterOf(text) } = {},
): CsvRecord[] {
  try {
    // The parser counts the lines of a cell right only where they end in one character.
    const all = parse(text.replaceAll(/\r\n?/g, '\n'), {
      ...PARSING,
      delimiter,
      info: true,
    }) as unknown as { info: { lines: number }; record: string[] }[];
    return all.map(({ info, record }) => {
      const broken = record.reduce((sum, cell) => sum + (cell.match(/\n/g)?.length ?? 0), 0);
      return { cells: record, begins: info.lines - broken, ends: info.lines };
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid({ [field]: `is not a CSV file: ${error.message}` });
  }
}

/** Returns the cells of the first record, whatever follows it; null: there is none that can be read. */
export function firstCells(text: string, delimiter: string): string[] | null {
  try {
    const [first] = parse(text, { ...PARSING, delimiter, to: 1 });
    return first ?? null;
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}

/** Returns what separates the cells: the character that the heading has most of. */
function delimiterOf(text: string): string {
  const [heading = ''] = text.split(/[\r\n]/, 1);
  const count = (character: string): number => heading.split(character).length;
  return DELIMITERS.reduce<string>((best, next) => (count(next) > count(best) ? next : best), ',');
}
