/**
 * A condition: the row is one of those whose `ctid` the query answers, which is asked once. Where a statement joins its table
 * with a query that locks or counts, the planner may ask the query anew for each row of the table (as it does where it knows
 * the table to be empty, which a queue often is): each time it answers others, and more are changed than its `LIMIT` says.
 */
export function oneOf(query: string): string {
  return `ctid = ANY (ARRAY(${query}))`;
}
