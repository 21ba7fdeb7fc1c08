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
