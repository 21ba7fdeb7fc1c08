import type { Tx } from '../../platform/db/db.ts';

/** A merchant with more failures than this looks at its newest. */
export const LOOKED_AT = 5_000;

/** Returns the schedules of the failures that are looked at: every schedule that is failing, and others. */
export async function findWithFailures(tx: Tx, merchantId: string): Promise<string[]> {
  const row = await tx.row<{ ids: string[] | null }>(
    `SELECT array_agg(DISTINCT schedule_id) AS ids FROM (SELECT schedule_id FROM payments
     WHERE merchant_id = $1 AND failed_at IS NOT NULL ORDER BY due_date DESC, payment_id DESC LIMIT ${LOOKED_AT}) f`,
    [merchantId],
  );
  return row?.ids ?? [];
}

/** The condition that the latest ended collection of a schedule failed, for this reason if one is named. All three are SQL. */
export function isFailing(merchantId: string, scheduleId: string, reason?: string): string {
  const forReason = reason === undefined ? '' : `AND coalesce(f.error_code, 'unknown') = ${reason}`;
  return `EXISTS (SELECT FROM payments f WHERE f.merchant_id = ${merchantId} AND f.schedule_id = ${scheduleId}
    AND f.failed_at IS NOT NULL ${forReason} AND NOT EXISTS (
      SELECT FROM payments n WHERE n.merchant_id = ${merchantId} AND n.schedule_id = ${scheduleId} AND n.due_date > f.due_date
        AND n.status IN ('success', 'failed')) OFFSET 0)`;
}

/** A schedule that waited longer than this for its first activation is in no cohort. */
const LONGEST_WAIT = Temporal.Duration.from({ hours: 24 * 400 });

/** Returns since when schedules may have been created that became active since a moment. */
export const createdSince = (activeSince: Temporal.Instant): Temporal.Instant =>
  activeSince.subtract(LONGEST_WAIT);

/** Reads when a schedule first became active (`at`), from its audit trail. */
export const firstActivation = (schedule: string): string => `
  SELECT at FROM state_changes WHERE merchant_id = ${schedule}.merchant_id AND schedule_id = ${schedule}.schedule_id
    AND object_id = ${schedule}.schedule_id AND to_state = 'active' ORDER BY change_id LIMIT 1`;
