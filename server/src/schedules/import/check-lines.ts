import { findCustomers } from '../../customers/store.ts';
import { checker } from '../../platform/http/schemas/fields.ts';
import type { Asked } from '../../platform/platform.ts';
import { ApiError } from '../../platform/values/errors.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { firstTerms } from '../request/first-terms.ts';
import { type CreateBody, createErrors } from '../request/request.ts';
import { CreateSchema } from '../request/schemas.ts';
import { type Cells, columnOf } from './columns.ts';
import type { CsvLine } from './csv.ts';
import { identityOf } from './identity.ts';
import { type LineError, readLine } from './read-line.ts';
import { findImported, type Imported, type Recognised } from './store.ts';

/** A line that can be read, with what it is recognised by: docs/rules/import.md#the-same-file-again. */
export interface ReadLine extends Recognised {
  body: CreateBody;
  /** What a version recognised it by that compared texts, and not what they say. */
  asText: Recognised;
}

/** What becomes of a line. */
export type Verdict =
  | { status: 'valid'; read: ReadLine }
  | { status: 'existing'; read: ReadLine; scheduleId: string }
  | { status: 'invalid'; read: ReadLine | null; errors: LineError[] };

const shape = checker(CreateSchema, 'line');

/** Decides what becomes of each line, in their order; creates nothing. */
export async function checkLines(
  vault: Vault,
  { tx, now, merchantId }: Asked,
  lines: readonly CsvLine[],
  timeZone: string,
): Promise<Verdict[]> {
  const reads = lines.map((line) => readLine(line.cells, timeZone));
  const keyed = lines.map((line, at) => {
    const read = reads[at];
    return read === undefined || 'errors' in read
      ? null
      : recognised(vault, merchantId, line, read.body);
  });
  const keys = keyed.flatMap((read) => (read === null ? [] : [read.key, read.asText.key]));
  const named = keyed.flatMap((read) => customerIdOf(read?.body) ?? []);
  const [imported, customers] = await Promise.all([
    findImported(tx, merchantId, keys),
    findCustomers(tx, merchantId, named),
  ]);
  const before = new Map(imported.map((one) => [one.key.toString('hex'), one]));
  const firstOf = new Map<string, number>();
  return lines.map((line, at) => {
    const read = keyed[at] ?? null;
    const unread = reads[at];
    if (read === null)
      return refused(null, unread !== undefined && 'errors' in unread ? unread.errors : []);
    const key = read.key.toString('hex');
    const first = firstOf.get(key);
    firstOf.set(key, first ?? line.line);
    if (first !== undefined) return refused(read, [repeated(first, line.cells)]);
    const earlier = before.get(key) ?? before.get(read.asText.key.toString('hex'));
    if (earlier !== undefined) return known(read, earlier);
    const errors = errorsOf(line, read.body, customers, { now, timeZone });
    return errors.length > 0 ? refused(read, errors) : { status: 'valid', read };
  });
}

const refused = (read: ReadLine | null, errors: LineError[]): Verdict => ({
  status: 'invalid',
  read,
  errors,
});

/** Returns a line with its blind indexes: of the merchant's own reference, or else of all that it says. */
function recognised(
  vault: Vault,
  merchantId: string,
  { cells }: CsvLine,
  body: CreateBody,
): ReadLine {
  const context = `import:${merchantId}`;
  const reference = cells.known.import_reference;
  const by = (whole: string): Recognised => {
    const name = reference === undefined ? `line ${whole}` : `reference ${reference}`;
    return { key: vault.index(name, context), content: vault.index(whole, context) };
  };
  return { body, ...by(identityOf(body)), asText: by(JSON.stringify(body)) };
}

function known(read: ReadLine, { content, scheduleId }: Imported): Verdict {
  if (content.equals(read.content) || content.equals(read.asText.content))
    return { status: 'existing', read, scheduleId };
  const reason = `was imported before with other values, as ${scheduleId}: change that schedule instead`;
  return refused(read, [{ column: 'import_reference', reason }]);
}

function repeated(first: number, { known }: Cells): LineError {
  return known.import_reference === undefined
    ? {
        column: null,
        reason: `is the same as line ${first}: if both are meant, give each an import_reference`,
      }
    : { column: 'import_reference', reason: `is the same as on line ${first}` };
}

function errorsOf(
  { cells, isTooWide, isMangled }: CsvLine,
  body: CreateBody,
  customers: ReadonlyMap<string, unknown>,
  { now, timeZone }: { now: Temporal.Instant; timeZone: string },
): LineError[] {
  if (isTooWide)
    return [
      {
        column: null,
        reason: 'has more cells than the heading: quote text that has a comma in it',
      },
    ];
  if (isMangled)
    return [
      {
        column: null,
        reason:
          'has letters that were lost (\ufffd): save the file as CSV in UTF-8, and send it as it is',
      },
    ];
  const details = { ...shape(body).details, ...createErrors(body, now) };
  const wrong = Object.keys(details).length > 0 ? details : termErrors(body, timeZone, now);
  const id = customerIdOf(body);
  const isStrange = id !== null && !customers.has(id);
  return [
    ...Object.entries(wrong).map(([field, reason]) => ({
      column: columnOf(field, cells),
      reason: inPounds(reason),
    })),
    ...(isStrange
      ? [{ column: 'customer_id', reason: 'is not the id of a customer of yours' }]
      : []),
  ];
}

/** `must be at most 100000000 (£1,000,000.00)`: cells are in pounds. */
function inPounds(reason: string): string {
  return reason.replace(/\d+ \((£[\d,.]+)\)/, '$1');
}

function termErrors(
  body: CreateBody,
  timeZone: string,
  now: Temporal.Instant,
): Record<string, string> {
  try {
    firstTerms(body, timeZone, now);
    return {};
  } catch (error) {
    if (error instanceof ApiError && error.details !== undefined) return error.details;
    throw error;
  }
}

function customerIdOf(body: CreateBody | undefined): string | null {
  const customer = body?.customer as { type?: string; value?: string } | undefined;
  return customer?.type === 'user_id' ? (customer.value ?? null) : null;
}
