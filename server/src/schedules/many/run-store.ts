import type { Tx } from '../../platform/db/db.ts';
import type { ScheduleKey } from '../books/agenda-store.ts';
import type { Line, LineState } from './line.ts';

/** Identifies a change of many schedules. */
export interface ChangeKey {
  merchantId: string;
  changeId: string;
}

/** Returns the first planned lines of a change, without locking them. */
export async function findPlanned(
  tx: Tx,
  { merchantId, changeId }: ChangeKey,
  limit: number,
): Promise<string[]> {
  const rows = await tx.rows<{ scheduleId: string }>(
    `SELECT schedule_id FROM schedule_change_lines WHERE merchant_id = $1 AND change_id = $2 AND state = 'planned'
     ORDER BY schedule_id LIMIT $3`,
    [merchantId, changeId, limit],
  );
  return rows.map((row) => row.scheduleId);
}

/** Locks and returns a line that is still planned; null: it is not, for another process was faster. */
export async function lockPlanned(
  tx: Tx,
  { merchantId, changeId, scheduleId }: ChangeKey & ScheduleKey,
): Promise<Line | null> {
  return tx.row<Line>(
    `SELECT schedule_id, terms_version, schedule_status, amount_pence, new_amount_pence, effect, state, error_code, reason, link
     FROM schedule_change_lines WHERE merchant_id = $1 AND change_id = $2 AND schedule_id = $3 AND state = 'planned' FOR UPDATE`,
    [merchantId, changeId, scheduleId],
  );
}

/** Ends a planned line. */
export async function endLine(
  tx: Tx,
  { merchantId, changeId, scheduleId }: ChangeKey & ScheduleKey,
  end: Partial<Pick<Line, 'effect' | 'errorCode' | 'reason' | 'link'>> & { state: LineState },
): Promise<void> {
  await tx.run(
    `UPDATE schedule_change_lines SET state = $4, effect = coalesce($5, effect), error_code = $6,
       reason = coalesce($7, reason), link = $8
     WHERE merchant_id = $1 AND change_id = $2 AND schedule_id = $3 AND state = 'planned'`,
    [
      ...[merchantId, changeId, scheduleId, end.state],
      ...[end.effect ?? null, end.errorCode ?? null, end.reason ?? null, end.link ?? null],
    ],
  );
}

/** Ends a locked change of which no line is planned any more, or makes it due at once. Returns whether it has ended. */
export async function releaseChange(
  tx: Tx,
  { merchantId, changeId }: ChangeKey,
  now: Temporal.Instant,
): Promise<boolean> {
  const row = await tx.row<{ hasMore: boolean }>(
    `UPDATE schedule_changes c SET due_at = CASE WHEN p.has_more THEN $3::timestamptz END,
       finished_at = CASE WHEN NOT p.has_more THEN $3::timestamptz END, claimed_by = NULL
     FROM (SELECT EXISTS (SELECT FROM schedule_change_lines WHERE merchant_id = $1 AND change_id = $2 AND state = 'planned')
       AS has_more) p
     WHERE c.merchant_id = $1 AND c.change_id = $2 AND c.due_at IS NOT NULL RETURNING p.has_more`,
    [merchantId, changeId, now],
  );
  return row?.hasMore === false;
}
