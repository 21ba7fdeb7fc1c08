import type { Tx } from '../platform/db.ts';

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
}

/** Sets the next occurrence of a locked schedule, in the queue of its consent's bank. */
export async function setNext(
  tx: Tx,
  { merchantId, scheduleId }: ScheduleKey,
  next: Next,
): Promise<void> {
  await tx.run(
    `UPDATE schedule_agenda SET next_occurrence = $3, due_at = $4, check_at = $5, bank_id = coalesce((SELECT c.bank_id
       FROM schedules s JOIN consents c ON c.merchant_id = s.merchant_id AND c.consent_id = s.consent_id
       WHERE s.merchant_id = $1 AND s.schedule_id = $2), '')
     WHERE merchant_id = $1 AND schedule_id = $2`,
    [merchantId, scheduleId, next.occurrence, next.dueAt, next.checkAt],
  );
}

/** Waits for the agenda of a locked schedule: an event of it may just be numbered, and a row that is locked is not opened. */
export async function lockAgenda(tx: Tx, { merchantId, scheduleId }: ScheduleKey): Promise<void> {
  await tx.run(
    'SELECT 1 FROM schedule_agenda WHERE merchant_id = $1 AND schedule_id = $2 FOR NO KEY UPDATE',
    [merchantId, scheduleId],
  );
}
