/**
 * SQL condition: the row is one of those whose `ctid` the query returns. The query runs once, so its `LIMIT` applies. See
 * docs/decisions/0020-what-the-planner-is-not-told.md.
 */
export function oneOf(query: string): string {
  return `ctid = ANY (ARRAY(${query}))`;
}
