/**
 * Hides a condition from the planner, which then makes no estimate of it. For a condition besides the key in a statement over
 * a batch of keys. See docs/decisions/0020-what-the-planner-is-not-told.md.
 */
export function opaque(condition: string): string {
  return `CASE WHEN ${condition} THEN true ELSE false END`;
}
