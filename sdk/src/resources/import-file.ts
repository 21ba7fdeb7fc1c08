/** The most lines of a file below its heading. */
const MAX_IMPORT_LINES = 10_000;
/** The largest file, in bytes. */
const LARGEST_IMPORT_BYTES = 5_000_000;

const LINES_AT_ONCE = 200;
/** A request takes 256 KB. */
const CHARACTERS_AT_ONCE = 80_000;
/** The marks with which files in UTF-16 begin. */
const UTF16 = [
  [0xff, 0xfe, 'utf-16le'],
  [0xfe, 0xff, 'utf-16be'],
] as const;

/** Some lines of a file as they are sent: with the heading, and where in the file the first one begins. */
export interface ImportPiece {
  csv: string;
  first_line: number;
  /** How many lines. */
  size: number;
}

/** Reads a file as spreadsheets write it: UTF-8, UTF-16 with its mark, or else Windows-1252. */
export function decodeCsv(file: Uint8Array): string {
  if (file.byteLength > LARGEST_IMPORT_BYTES)
    throw new RangeError(
      'This file is larger than 5 MB. Split it, and import one after the other.',
    );
  const wide = UTF16.find(([first, second]) => file[0] === first && file[1] === second);
  if (wide !== undefined) return new TextDecoder(wide[2]).decode(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return new TextDecoder('windows-1252').decode(file);
  }
}

/** One line of a file, which may go on over several if a cell in quotes does. */
interface Line {
  text: string;
  begins: number;
}

/** Cells in quotes with what they contain, line breaks, and what stands between them. */
const TOKEN = /(?<=^|[,;\t\r\n])"(?:[^"]|"")*("|$)|\r\n|\r|\n|[^"\r\n]+|"/gy;

/** Splits a text at the line breaks that are not in quotes. Throws RangeError for a quote without its end. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let [begins, at, own] = [1, 1, ''];
  const end = () => {
    if (own.trim() !== '') lines.push({ text: own, begins });
    [own, begins] = ['', at];
  };
  for (const [token, closing] of text.matchAll(TOKEN)) {
    const isQuoted = token.length > 1 && token.startsWith('"');
    if (isQuoted && closing !== '"')
      throw new RangeError(`The quote that begins on line ${at} has no end.`);
    at += token.match(/\r\n|\r|\n/g)?.length ?? 0;
    if (/^[\r\n]/.test(token)) end();
    else own += token;
  }
  end();
  return lines;
}

/** Splits a file into pieces that one request takes each. Throws RangeError for a file that is too large. */
export function importPieces(file: string): ImportPiece[] {
  if (file.length > LARGEST_IMPORT_BYTES)
    throw new RangeError(
      'This file is larger than 5 MB. Split it, and import one after the other.',
    );
  const [heading, ...lines] = linesOf(file.replace(/^\uFEFF/, ''));
  if (heading === undefined) throw new RangeError('This file is empty.');
  if (lines.length > MAX_IMPORT_LINES)
    throw new RangeError(
      `This file has ${lines.length.toLocaleString('en-GB')} lines, and an import takes 10,000. Split it, and import one after the other.`,
    );
  const pieces: ImportPiece[] = [];
  const begin = (line: number): ImportPiece => {
    const piece = { csv: `${heading.text}\r\n`, first_line: line, size: 0 };
    pieces.push(piece);
    return piece;
  };
  let piece = begin(lines[0]?.begins ?? 2);
  let next = piece.first_line;
  for (const line of lines) {
    const blanks = '\r\n'.repeat(line.begins - next); // so that the lines are counted as they stand in the file
    const isFull =
      piece.csv.length + line.text.length > CHARACTERS_AT_ONCE || piece.size >= LINES_AT_ONCE;
    if (isFull && piece.size > 0) piece = begin(line.begins);
    else piece.csv += blanks;
    piece.csv += `${line.text}\r\n`;
    piece.size += 1;
    next = line.begins + 1 + (line.text.match(/\r\n|\r|\n/g)?.length ?? 0);
  }
  return pieces;
}
