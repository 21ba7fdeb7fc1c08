import { parseInstant } from '../../time/calendar.ts';
import { invalid } from '../../values/errors.ts';

/** The types of a position's values, and how a cursor holds them. */
interface KeyTypes {
  text: string;
  integer: number;
  instant: Temporal.Instant;
  date: Temporal.PlainDate;
}
export type KeyType = keyof KeyTypes;
type Key = KeyTypes[KeyType];
type Position<T extends readonly KeyType[]> = { -readonly [I in keyof T]: KeyTypes[T[I]] };

/** The cursor of a list's beginning. No other has five letters. */
export const START = 'start';

/**
 * Returns the opaque cursor of a position: `list` names the list, its filters and its order; `position` has the values by which
 * the list is sorted. Instants keep the database's full precision.
 */
export function encodeCursor(list: string, position: readonly Key[]): string {
  const json = JSON.stringify([list, ...position.map((key) => (isPlain(key) ? key : `${key}`))]);
  return new TextEncoder().encode(json).toBase64({ alphabet: 'base64url', omitPadding: true });
}

/**
 * Returns the position of a cursor of this list; null at its beginning: no cursor, or `start`. Throws 400 `after` for a cursor of
 * another list, filter or order.
 */
export function decodeCursor<const T extends readonly KeyType[]>(
  cursor: string | undefined,
  list: string,
  types: T,
): Position<T> | null {
  if (cursor === undefined || cursor === START) return null;
  const [name, ...keys] = fieldsOf(cursor);
  const position = types.map((type, i) => readKey(type, keys[i]));
  if (name !== list || keys.length !== types.length || position.includes(null))
    throw invalid({
      after: `does not belong to this list, filter and sort: begin again with ${START}`,
    });
  return position as Position<T>;
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

function readKey(type: KeyType, key: unknown): Key | null {
  if (type === 'integer') return Number.isSafeInteger(key) ? (key as number) : null;
  if (typeof key !== 'string' || !key.isWellFormed() || key.includes('\u0000')) return null;
  if (type === 'instant') return readInstant(key);
  return type === 'date' ? readDate(key) : key;
}

function readInstant(text: string): Temporal.Instant | null {
  if (parseInstant(text) === null) return null;
  return Temporal.Instant.from(text); // not cut to milliseconds: rows are ordered by microseconds
}

function readDate(text: string): Temporal.PlainDate | null {
  return /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text)
    ? Temporal.PlainDate.from(text)
    : null;
}

function isPlain(key: Key): key is string | number {
  return typeof key !== 'object';
}
