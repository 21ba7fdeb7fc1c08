/**
 * A condition beside the key in a statement over a batch of keys, said so that the planner has no guess of how many rows
 * satisfy it. Where it takes them for few (because there were few when it looked last, or none), it begins with them: it reads
 * the whole queue by the index that holds it, or the whole table, and compares each row with each key of the batch.
 */
export function unguessed(condition: string): string {
  return `CASE WHEN ${condition} THEN true ELSE false END`;
}
