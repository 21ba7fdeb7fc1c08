const MS_PER_SECOND = 1000;

/**
 * Returns for how many seconds something has been due or gone on; 0 for null and for the future. What is due since 1970 is due
 * at once, without having waited: the first reconciliation of a new database.
 */
export function ageOf(since: Temporal.Instant | null, now: Temporal.Instant): number {
  if (since === null || since.epochMilliseconds === 0) return 0;
  return Math.max(0, (now.epochMilliseconds - since.epochMilliseconds) / MS_PER_SECOND);
}
