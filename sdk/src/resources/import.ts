import type { Api } from '../api.ts';
import type { ImportedLine } from '../types.ts';
import type { ImportStatus } from '../values.ts';
import { decodeCsv, importPieces } from './import-file.ts';

export interface ImportOptions {
  /** Says what would become of each line, and creates nothing. */
  checkOnly?: boolean;
  /** Called after each piece, of at most 200 lines. */
  onProgress?: (progress: { done: number; total: number }) => void;
  /** Stops after the piece that is under way; what was created stays. */
  signal?: AbortSignal;
}

/** The result of a file: every line, in its order. */
export interface ImportResult {
  lines: ImportedLine[];
  counts: Record<ImportStatus, number>;
}

/** Imports a file, piece by piece. */
export async function importFile(
  api: Api,
  file: string | Uint8Array,
  { checkOnly = false, onProgress, signal }: ImportOptions,
): Promise<ImportResult> {
  const pieces = importPieces(typeof file === 'string' ? file : decodeCsv(file));
  const total = pieces.reduce((sum, { size }) => sum + size, 0);
  const lines: ImportedLine[] = [];
  const firstOf = new Map<string, number>();
  let done = 0;
  for (const { csv, first_line, size } of pieces) {
    const { data } = await api.send<{ data: ImportedLine[] }>(
      {
        method: 'POST',
        path: '/api/v1/schedules/import',
        body: { csv, first_line, check_only: checkOnly },
      },
      signal === undefined ? {} : { signal },
    );
    for (const line of data) lines.push(refuseRepeated(line, firstOf));
    done += size;
    onProgress?.({ done, total });
  }
  const counts = { valid: 0, created: 0, existing: 0, invalid: 0 };
  for (const { status } of lines) counts[status] += 1;
  return { lines, counts };
}

/** A line that repeats one of an earlier piece is refused here: the service sees one piece at a time. */
function refuseRepeated(line: ImportedLine, firstOf: Map<string, number>): ImportedLine {
  if (line.key === null) return line;
  const first = firstOf.get(line.key);
  if (first === undefined) {
    firstOf.set(line.key, line.line);
    return line;
  }
  const isNamed = line.import_reference !== null;
  const reason = isNamed
    ? `is the same as on line ${first}`
    : `is the same as line ${first}: if both are meant, give each an import_reference`;
  const errors = [{ column: isNamed ? 'import_reference' : null, reason }];
  return { ...line, status: 'invalid', schedule_id: null, consent_url: null, errors };
}

/** Returns what is wrong with a file as a CSV: one row for each cell. */
export function importErrorsCsv({ lines }: ImportResult): string {
  const rows = lines.flatMap(({ line, errors, import_reference }) =>
    errors.map(({ column, reason }) => [String(line), import_reference, column, reason]),
  );
  return csvOf([['line', 'import_reference', 'column', 'reason'], ...rows]);
}

/** Returns the schedules of an import as a CSV, each with the link to send to its customer. */
export function importLinksCsv({ lines }: ImportResult): string {
  const heading = [
    'line',
    'import_reference',
    'customer_name',
    'customer_email',
    'customer_phone',
    'description',
    'amount',
    'status',
    'schedule_id',
    'consent_url',
  ];
  const rows = lines
    .filter(({ status }) => status === 'created' || status === 'existing')
    .map((one) => [
      String(one.line),
      one.import_reference,
      one.customer.name,
      one.customer.email,
      one.customer.phone,
      one.description,
      one.amount === null ? null : pounds(one.amount.value),
      one.status,
      one.schedule_id,
      one.consent_url,
    ]);
  return csvOf([heading, ...rows]);
}

function pounds(pence: number): string {
  const digits = String(pence).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Marks, spaces and other characters that nobody sees before the first that counts. */
const INVISIBLE = /^[\p{C}\p{Z}\p{M}\s\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}]+/u;
/** What a spreadsheet reads as the beginning of a formula, and the minus sign of print. */
const BEGINS_FORMULA = /^[=+\-@\u{2212}]/u;

/** Returns a text that no spreadsheet reads as a formula: with an apostrophe before one that would begin like it. */
function plainCell(text: string): string {
  const visible = text.replace(INVISIBLE, '').slice(0, 2).normalize('NFKC');
  return BEGINS_FORMULA.test(visible) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
}

/** Formats rows as RFC 4180. */
function csvOf(rows: readonly (readonly (string | null)[])[]): string {
  const cell = (value: string | null): string => {
    const text = plainCell(value ?? '');
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
