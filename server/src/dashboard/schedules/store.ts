import type { Tx } from '../../platform/db/db.ts';
import {
  SCHEDULE_COLUMNS,
  SCHEDULES,
  type ScheduleRow,
  toSchedule,
} from '../../schedules/books/store.ts';
import type { Schedule } from '../../schedules/terms/schedule.ts';

export interface LastPayment {
  scheduleId: string;
  paymentId: string;
  status: 'pending' | 'processing' | 'success' | 'failed';
  dueDate: Temporal.Instant;
  /** Whether the latest payment that has ended failed. */
  hasFailedLast: boolean;
}

/** Returns the latest payment per schedule; schedules without any are absent. */
export async function lastPayments(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<Map<string, LastPayment>> {
  const rows = await tx.rows<LastPayment>(
    `SELECT p.*, coalesce(e.status = 'failed', false) AS has_failed_last
     FROM unnest($2::text[]) AS s (wanted) CROSS JOIN LATERAL (
       SELECT schedule_id, payment_id, status, due_date FROM payments
       WHERE merchant_id = $1 AND schedule_id = s.wanted ORDER BY due_date DESC LIMIT 1) p
     LEFT JOIN LATERAL (SELECT status FROM payments
       WHERE merchant_id = $1 AND schedule_id = s.wanted AND status IN ('success', 'failed')
       ORDER BY due_date DESC LIMIT 1) e ON true`,
    [merchantId, scheduleIds],
  );
  return new Map(rows.map((row) => [row.scheduleId, row]));
}

/** Returns schedules by id, newest first. */
export async function findListed(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<Schedule[]> {
  if (scheduleIds.length === 0) return [];
  const rows = await tx.rows<ScheduleRow>(
    `SELECT t.* FROM unnest($2::text[]) AS w (wanted) CROSS JOIN LATERAL (
       SELECT ${SCHEDULE_COLUMNS} FROM ${SCHEDULES} WHERE merchant_id = $1 AND schedule_id = w.wanted OFFSET 0) t
     ORDER BY t.created_at DESC, t.schedule_id DESC`,
    [merchantId, scheduleIds],
  );
  return rows.map(toSchedule);
}
