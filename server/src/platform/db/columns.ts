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

/**
 * Names the columns of a SELECT as our fields are named, so that a row is the object: `u.id, made_by` becomes
 * `u.id, made_by AS "madeBy"`.
 */
export function asFields(columns: string): string {
  return columns
    .split(',')
    .map((column) => {
      const name = column.trim();
      const field = name
        .replace(/^\w+\./, '')
        .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      return name.endsWith(field) ? name : `${name} AS "${field}"`;
    })
    .join(', ');
}

/** Puts a table's alias before each column of a SELECT: `id, name` of `t` becomes `t.id, t.name`. */
export function columnsOf(alias: string, columns: string): string {
  return columns.replaceAll(/\w+/g, `${alias}.$&`);
}
