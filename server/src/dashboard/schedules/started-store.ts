/** A schedule that waited longer than this for its first activation is in no cohort. */
const LONGEST_WAIT = Temporal.Duration.from({ hours: 24 * 400 });

/** Returns since when schedules may have been created that became active since a moment. */
export const createdSince = (activeSince: Temporal.Instant): Temporal.Instant =>
  activeSince.subtract(LONGEST_WAIT);

/** Reads when a schedule first became active (`at`), from its audit trail. */
export const firstActivation = (schedule: string): string => `
  SELECT at FROM state_changes WHERE merchant_id = ${schedule}.merchant_id AND schedule_id = ${schedule}.schedule_id
    AND object_id = ${schedule}.schedule_id AND to_state = 'active' ORDER BY change_id LIMIT 1`;
