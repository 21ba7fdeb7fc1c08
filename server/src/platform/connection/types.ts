import { createHash } from 'node:crypto';
import pg from 'pg';
import { instantOfColumn } from '../values/instants.ts';

/** The types that a statement can bind. Instants and dates are bound as ISO text; arrays feed `unnest`. */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | Buffer
  | Temporal.Instant
  | Temporal.PlainDate
  | SqlValue[]
  | ReadonlyArray<SqlValue>;

const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;

const types = new Map<number, (text: string) => unknown>([
  [INT8, parseInteger],
  [DATE, (text) => Temporal.PlainDate.from(text)],
  [TIMESTAMPTZ, instantOfColumn],
]);

function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond 2^53-1`);
  return value;
}

/** How values are parsed: whole numbers as numbers, instants and dates as Temporal types. */
export const parsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const own = types.get(oid);
    if (own !== undefined && format !== 'binary') return own;
    return format === 'binary'
      ? pg.types.getTypeParser(oid, 'binary')
      : pg.types.getTypeParser(oid);
  },
} as pg.CustomTypesConfig;

/** Names a column as its field is named: `due_at` arrives as `dueAt`. Only SQL and what leaves the service are snake_case. */
export const fieldOf = (column: string): string =>
  column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const names = new Map<string, string>();

/** Returns the name under which a connection prepares a statement: the same text has the same name. */
export function statementName(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = createHash('sha1').update(sql).digest('base64url');
    names.set(sql, name);
  }
  return name;
}

/** A value in the form in which it is sent. */
export type Bound = string | Buffer | null;

/** Converts a value to the form in which it is sent. */
export function bind(value: SqlValue): Bound {
  if (value === null || value === undefined || Buffer.isBuffer(value)) return value ?? null;
  return isArray(value) ? arrayText(value) : plainText(value);
}

let lastMoment: object | null = null;
let lastText = '';

/** Returns what needs no quotes: a number, a boolean, an instant, a date. A batch binds one instant hundreds of times. */
function plainText(value: SqlValue): string {
  if (typeof value !== 'object') return String(value);
  if (value !== lastMoment) {
    lastText = String(value);
    lastMoment = value;
  }
  return lastText;
}

const isArray = (value: SqlValue): value is readonly SqlValue[] => Array.isArray(value);

function arrayText(values: readonly SqlValue[]): string {
  return `{${values.map(elementText).join(',')}}`;
}

const NEEDS_ESCAPE = /["\\]/;

/** Quotes a text without asking what it is: one search that finds nothing, for nearly all of them. */
const quoted = (text: string): string =>
  NEEDS_ESCAPE.test(text)
    ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    : `"${text}"`;

function elementText(value: SqlValue): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || value === undefined) return 'NULL';
  if (isArray(value)) return arrayText(value);
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`;
  return plainText(value);
}
