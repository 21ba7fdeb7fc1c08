import { createHash } from 'node:crypto';
import type { Tx } from '../../connection/transaction.ts';
import { fieldOf, type SqlValue } from '../../connection/types.ts';
import { invalid } from '../../values/errors.ts';
import type { Amount } from '../../values/money.ts';
import { decodeCursor, encodeCursor, type KeyType, START } from './cursor.ts';

/** Which part of a list is read, by offset or by cursor: docs/rules/api.md#lists. */
export interface Page {
  limit: number;
  offset: number;
  /** The cursor behind which the page begins. Absent: the page is found by its offset, and the list counted. */
  after?: string | undefined;
  /** Whether the amounts of the whole list are added up, where its rows are counted. */
  isSummed?: boolean;
  /** What a cursor of the list is good for: a digest of its filters. */
  filters?: string;
}

/** Returns the first page of a list, which is not counted. */
export const firstPage = (limit: number): Page => ({ limit, offset: 0, after: START });

/** A page of a list, as it is answered. */
export interface List<T> {
  data: T[];
  /** How many there are; absent where the page was asked for by cursor. */
  total?: number;
  /** What the amounts of all of them add up to; absent unless asked for. */
  total_amount?: Amount;
  /** The cursor of the last row; absent: no row follows. */
  next_cursor?: string;
}

interface Asked {
  params: unknown;
  query: { limit: number; offset?: number; after?: string; sum?: boolean };
}

/** Reads which page a call asks for. Throws 400 for `offset` or `sum` beside `after`. */
export function pageOf({ params, query }: Asked): Page {
  const { limit, offset = 0, after, sum: isSummed = false, ...filters } = query;
  if (after !== undefined && offset > 0) throw invalid({ offset: 'cannot go with after' });
  if (after !== undefined && isSummed) throw invalid({ sum: 'cannot go with after' });
  const said = [params, Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))];
  const digest = createHash('sha256').update(JSON.stringify(said)).digest('base64url');
  return { limit, offset, after, isSummed, filters: digest.slice(0, 12) };
}

/** How a list is sorted: by these columns, the last of which no two rows share. The rows that are read have them all. */
export interface Order {
  by: Readonly<Record<string, KeyType>>;
  isDescending: boolean;
}

const PG_TYPES = { text: 'text', integer: 'bigint', instant: 'timestamptz', date: 'date' } as const;

/** What a statement needs to read a page, and one row more. */
interface Cut {
  /** The condition of the rows behind the cursor. */
  behind: string;
  orderBy: string;
  /** Ends the statement: as many rows as the page has, from its offset on. */
  limit: string;
  /** Ends a part of the statement that finds candidates: as many as the page can take from it. */
  most: string;
}

/** Returns the parts of a statement that reads a page in an order; adds their values to `values`. Throws 400 `after`. */
export function cutTo(page: Page, order: Order, values: SqlValue[]): Cut {
  const place = (value: SqlValue): string => `$${values.push(value)}`;
  const { isDescending } = order;
  const columns = Object.keys(order.by);
  const types = Object.values(order.by);
  const position = decodeCursor(page.after, nameOf(page, order), types);
  const places = position?.map((key, i) => `${place(key)}::${PG_TYPES[types[i] ?? 'text']}`);
  const direction = isDescending ? ' DESC' : '';
  // By cursor the number is part of the text: each kind of list has a plan of its own, which knows how few rows it reads.
  const rows = page.after === undefined ? `${place(page.limit + 1)}::bigint` : `${page.limit + 1}`;
  const offset = page.after === undefined ? `${place(page.offset)}::bigint` : '0';
  return {
    behind: places
      ? `(${columns.join(', ')}) ${isDescending ? '<' : '>'} (${places.join(', ')})`
      : 'true',
    orderBy: `ORDER BY ${columns.map((column) => column + direction).join(', ')}`,
    limit: `LIMIT ${rows} OFFSET ${offset}`,
    most: `LIMIT ${rows} + ${offset}`,
  };
}

/** Returns the page of rows that were read with one row more, to know whether any follow. */
export function pageFrom<R extends object>(rows: readonly R[], page: Page, order: Order): List<R> {
  const data = rows.slice(0, page.limit);
  const last: Readonly<Record<string, unknown>> = { ...data.at(-1) };
  if (rows.length <= page.limit) return { data };
  const position = Object.keys(order.by).map((column) => last[fieldOf(plain(column))]);
  return { data, next_cursor: encodeCursor(nameOf(page, order), position as string[]) };
}

/** Returns a page with each row as `show` shows it. */
export function mapList<R, V>(page: List<R>, show: (row: R) => V): List<V> {
  return { ...page, data: page.data.map((row) => show(row)) };
}

/** Which rows a list has: `from` ends with its conditions, of which `values` are the values. */
interface Listing {
  columns: string;
  from: string;
  values: readonly SqlValue[];
  order: Order;
  /** A row's amount in pence, as SQL; absent: rows have none. */
  amount?: string;
}

/** Returns a page of a list in one round trip. The texts are constants, never from a caller. Throws 400 `after`. */
export async function readPage<Row extends object>(
  tx: Tx,
  { columns, from, values, order, amount }: Listing,
  page: Page,
): Promise<List<Row>> {
  const all = [...values];
  const { behind, orderBy, limit } = cutTo(page, order, all);
  const [rows, counted] = await Promise.all([
    tx.rows<Row>(`SELECT ${columns} FROM ${from} AND ${behind} ${orderBy} ${limit}`, all),
    countUnlessByCursor(tx, page, from, values, amount),
  ]);
  return { ...pageFrom(rows, page, order), ...counted };
}

/**
 * Counts the rows of a list that is read by offset: by cursor its length costs nothing. Adds up their amounts (SQL, in pence) if
 * the page asks for that.
 */
export async function countUnlessByCursor(
  tx: Tx,
  page: Page,
  from: string,
  values: readonly SqlValue[],
  amount?: string,
): Promise<Pick<List<never>, 'total' | 'total_amount'>> {
  if (page.after !== undefined) return {};
  const isSummed = page.isSummed === true && amount !== undefined;
  const sum = isSummed ? `, coalesce(sum(${amount}), 0)::bigint AS pence` : '';
  const row = await tx.row<{ total: number; pence?: number }>(
    `SELECT count(*) AS total${sum} FROM ${from}`,
    values,
  );
  const total = row?.total ?? 0;
  return isSummed
    ? { total, total_amount: { value: row?.pence ?? 0, currency: 'GBP' } }
    : { total };
}

/** Returns a page of a list that is in memory, in its order; `name` is the list's, `keyOf` names a row. Throws 400 `after`. */
export function slicePage<T>(
  name: string,
  all: readonly T[],
  page: Page,
  keyOf: (row: T) => string,
): List<T> {
  const list = `${page.filters} ${name}`;
  const position = decodeCursor(page.after, list, ['text', 'integer']);
  const at = position === null ? -1 : all.findIndex((row) => keyOf(row) === position[0]);
  // A row that has left the list has moved the next one to its place.
  const start = position === null ? page.offset : at < 0 ? Math.max(0, position[1]) : at + 1;
  const data = all.slice(start, start + page.limit);
  const end = start + page.limit;
  const last = data.at(-1);
  return {
    data,
    ...(page.after === undefined && { total: all.length }),
    ...(last !== undefined &&
      end < all.length && { next_cursor: encodeCursor(list, [keyOf(last), end - 1]) }),
  };
}

const plain = (column: string): string => column.replace(/^.*\./, '');

/** Names a list, its filters and its order. */
function nameOf({ filters = '' }: Page, { by, isDescending }: Order): string {
  return [filters, ...Object.keys(by).map(plain), isDescending ? 'down' : 'up'].join(' ');
}
