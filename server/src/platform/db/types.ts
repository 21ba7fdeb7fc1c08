import { createHash } from 'node:crypto';
import pg from 'pg';

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
  [TIMESTAMPTZ, (text) => Temporal.Instant.from(text.replace(' ', 'T'))],
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

/** Converts a value to what pg sends. */
export function bind(value: SqlValue): unknown {
  if (value instanceof Temporal.Instant || value instanceof Temporal.PlainDate)
    return value.toString();
  if (Array.isArray(value)) return value.map(bind);
  return value;
}
