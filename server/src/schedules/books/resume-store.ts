import type { Tx } from '../../platform/db/db.ts';
import type { ScheduleKey } from './agenda-store.ts';

/** Returns paused schedules that are due to resume automatically, earliest first, without locking them. */
export async function findToResume(
  tx: Tx,
  now: Temporal.Instant,
  limit: number,
): Promise<ScheduleKey[]> {
  const rows = await tx.rows<{ merchantId: string; scheduleId: string }>(
    `SELECT merchant_id, schedule_id FROM schedules WHERE resume_at IS NOT NULL AND resume_at <= $1
     ORDER BY resume_at LIMIT $2`,
    [now, limit],
  );
  return rows.map((row) => ({ merchantId: row.merchantId, scheduleId: row.scheduleId }));
}

/** Postpones the resume of a schedule that could not be resumed, unless it was changed meanwhile. */
export async function postponeResume(
  tx: Tx,
  { merchantId, scheduleId }: ScheduleKey,
  until: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE schedules SET resume_at = $3 WHERE merchant_id = $1 AND schedule_id = $2 AND resume_at < $3`,
    [merchantId, scheduleId, until],
  );
}
