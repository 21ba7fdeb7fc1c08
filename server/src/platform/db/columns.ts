import { fieldOf } from '../connection/types.ts';

/**
 * Turns rows into one array for each named column, in order: the values of `unnest($1::text[], $2::int[], …)`, by which one
 * statement writes or finds many rows.
 */
export function columns<R, const K extends readonly (keyof R)[]>(
  rows: readonly R[],
  ...names: K
): { -readonly [I in keyof K]: R[K[I]][] } {
  return names.map((name) => rows.map((row) => row[name])) as {
    -readonly [I in keyof K]: R[K[I]][];
  };
}

/** Returns fields of a row under the names of their columns, for code that works on any table: `{ dueAt }` as `{ due_at }`. */
export const byColumn = <V>(
  row: Readonly<Record<string, V>>,
  columns: readonly string[],
): Record<string, V> =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const value = row[fieldOf(column)];
      return value === undefined ? [] : [[column, value]];
    }),
  );

/** Puts a table's alias before each column of a SELECT: `id, name` of `t` becomes `t.id, t.name`. */
export function columnsOf(alias: string, columns: string): string {
  return columns.replaceAll(/\w+/g, `${alias}.$&`);
}
