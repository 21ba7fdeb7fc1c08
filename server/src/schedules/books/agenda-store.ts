import type { Tx } from '../../platform/db/db.ts';

/** Identifies a schedule. */
export interface ScheduleKey {
  merchantId: string;
  scheduleId: string;
}

/**
 * A schedule's next occurrence (the first that is not accounted for), when it is due, and when to check the consent before it.
 */
export interface Next {
  occurrence: number | null;
  dueAt: Temporal.Instant | null;
  checkAt: Temporal.Instant | null;
  /** The occurrences after this moment are collected from now on; null: nothing is. */
  after: Temporal.Instant | null;
}

/**
 * Sets the next occurrence of a locked schedule, in the queue of its consent's bank. The run under the former decision ends, and
 * another begins under the live terms if something is collected: the law `occurrences-accounted-for` follows them.
 */
export async function setNext(
  tx: Tx,
  { merchantId, scheduleId, liveVersion }: ScheduleKey & { liveVersion: number | null },
  next: Next,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `WITH ended AS (
       UPDATE schedule_runs r SET ended_at = $6, next_occurrence = coalesce(a.next_occurrence, r.first_occurrence)
       FROM schedule_agenda a WHERE r.merchant_id = $1 AND r.schedule_id = $2 AND r.ended_at IS NULL
         AND a.merchant_id = $1 AND a.schedule_id = $2 RETURNING r.number
     ), begun AS (
       INSERT INTO schedule_runs (merchant_id, schedule_id, number, terms_version, after_at, first_occurrence)
       SELECT $1, $2, coalesce(max(number), 0) + 1, $8::int, $7::timestamptz, $3::int FROM schedule_runs
       WHERE merchant_id = $1 AND schedule_id = $2 HAVING $7::timestamptz IS NOT NULL RETURNING number
     )
     UPDATE schedule_agenda SET next_occurrence = $3, due_at = $4, check_at = $5, bank_id = coalesce((SELECT c.bank_id
       FROM schedules s JOIN consents c ON c.merchant_id = s.merchant_id AND c.consent_id = s.consent_id
       WHERE s.merchant_id = $1 AND s.schedule_id = $2), '')
     WHERE merchant_id = $1 AND schedule_id = $2`,
    [
      merchantId,
      scheduleId,
      next.occurrence,
      next.dueAt,
      next.checkAt,
      now,
      next.after,
      liveVersion,
    ],
  );
}

/** Waits for the agenda of a locked schedule: an event of it may just be numbered, and a row that is locked is not opened. */
export async function lockAgenda(tx: Tx, { merchantId, scheduleId }: ScheduleKey): Promise<void> {
  await tx.run(
    'SELECT 1 FROM schedule_agenda WHERE merchant_id = $1 AND schedule_id = $2 FOR NO KEY UPDATE',
    [merchantId, scheduleId],
  );
}
