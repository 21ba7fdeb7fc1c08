import Type, { type TSchema } from 'typebox';
import { OneOf, OrNull } from '../platform/http/schemas/schemas.ts';
import { parseInstant } from '../platform/time/calendar.ts';
import { invalid } from '../platform/values/errors.ts';

/** The `limit` and `cursor` of the dashboard's lists; spread them into a query. */
export const CURSOR_QUERY = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  cursor: Type.Optional(
    Type.String({ maxLength: 4096, description: '`next_cursor` of the page before.' }),
  ),
};

/** `q` of a list: what a person typed. */
export const Typed = Type.Optional(Type.String({ maxLength: 255 }));

/** `sort` of a list, the first order unless another is named; `-` before a name: from the last one on. */
export function SortBy<const T extends readonly [string, ...string[]]>(orders: T) {
  return Type.Unsafe<T[number]>({ ...OneOf(orders), default: orders[0] });
}

/** A page of a list that stays fast at any length; `next_cursor` null: the last page. */
export function CursorListOf<T extends TSchema>(item: T) {
  return Type.Object({ data: Type.Array(item), next_cursor: OrNull(Type.String()) });
}

/** The types of a keyset's values, and how a cursor encodes them. */
interface KeyTypes {
  text: string;
  integer: number;
  instant: Temporal.Instant;
}
type KeyType = keyof KeyTypes;
export type Keyset<T extends readonly KeyType[]> = { -readonly [I in keyof T]: KeyTypes[T[I]] };

/**
 * Returns the opaque `next_cursor` after a row: `order` names the list's order (a list may have several), `keyset` is the row's
 * position in it. Instants keep the database's full precision.
 */
export function encodeCursor(
  order: string,
  keyset: readonly (string | number | Temporal.Instant)[],
): string {
  const json = JSON.stringify([order, ...keyset.map((key) => (isPlain(key) ? key : `${key}`))]);
  return new TextEncoder().encode(json).toBase64({ alphabet: 'base64url', omitPadding: true });
}

/**
 * Returns the keyset of a cursor of this order; null at the beginning of the list. Throws 400 `cursor: …` for a cursor that does
 * not belong to this list.
 */
export function decodeCursor<const T extends readonly KeyType[]>(
  cursor: string | undefined,
  order: string,
  types: T,
): Keyset<T> | null {
  if (cursor === undefined) return null;
  const [name, ...keys] = fieldsOf(cursor);
  const keyset = types.map((type, i) => readKey(type, keys[i]));
  if (name !== order || keys.length !== types.length || keyset.includes(null))
    throw invalid({ cursor: 'does not belong to this list: leave it out to start again' });
  return keyset as Keyset<T>;
}

/** Returns a page of rows that were read with one row more than `limit`, to know whether more follow. */
export function pageOf<R>(
  rows: readonly R[],
  limit: number,
  cursorAfter: (last: R) => string,
): { rows: R[]; next_cursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const isLastPage = rows.length <= limit || last === undefined;
  return { rows: shown, next_cursor: isLastPage ? null : cursorAfter(last) };
}

function fieldsOf(cursor: string): unknown[] {
  try {
    const bytes = Uint8Array.fromBase64(cursor, { alphabet: 'base64url' });
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return Array.isArray(value) ? value : [];
  } catch {
    return []; // not base64url, UTF-8 or JSON: not one of our cursors
  }
}

function readKey(type: KeyType, key: unknown): string | number | Temporal.Instant | null {
  if (type === 'integer') return Number.isSafeInteger(key) ? (key as number) : null;
  if (typeof key !== 'string' || !key.isWellFormed() || key.includes('\u0000')) return null;
  return type === 'text' ? key : readInstant(key);
}

function readInstant(text: string): Temporal.Instant | null {
  if (parseInstant(text) === null) return null;
  return Temporal.Instant.from(text); // not cut to milliseconds: rows are ordered by microseconds
}

function isPlain(key: string | number | Temporal.Instant): key is string | number {
  return typeof key !== 'object';
}
