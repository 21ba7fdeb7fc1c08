/**
 * Returns SQL that copies a row of a table `count` times, each with other values: `values` are keys and values of
 * jsonb_build_object, in which `n` is the number of the copy.
 */
export const many = (table: string, count: number, values: string): string =>
  `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object(${values}))).*
   FROM ${table} t, generate_series(1, ${count}) n WHERE t.ctid = (SELECT ctid FROM ${table} LIMIT 1)`;
