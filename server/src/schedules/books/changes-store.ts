import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Changes } from '../terms/amounts.ts';
import type { ScheduleKey } from './agenda-store.ts';

interface ChangeRow {
  scheduleId: string;
  dueDate: Temporal.Instant;
  amountPence: number | null;
}

/** Returns what was set for the occurrences of these schedules from `from` on, by schedule; one without changes is absent. */
export async function findChanges(
  tx: Tx,
  schedules: readonly ScheduleKey[],
  from: Temporal.Instant,
): Promise<Map<string, Changes>> {
  if (schedules.length === 0) return new Map();
  const rows = await tx.rows<ChangeRow>(
    `SELECT o.* FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS k (merchant_id, schedule_id)) k
     CROSS JOIN LATERAL (SELECT schedule_id, due_date, amount_pence FROM occurrence_changes
       WHERE merchant_id = k.merchant_id AND schedule_id = k.schedule_id AND due_date >= $3 OFFSET 0) o`,
    [...columns(schedules, 'merchantId', 'scheduleId'), from],
  );
  const bySchedule = Map.groupBy(rows, (row) => row.scheduleId);
  return new Map([...bySchedule].map(([scheduleId, changes]) => [scheduleId, toChanges(changes)]));
}

function toChanges(rows: readonly ChangeRow[]): Changes {
  return new Map(rows.map((row) => [row.dueDate.epochMilliseconds, row.amountPence]));
}

/** Returns what was set for a schedule's occurrences from `from` on. */
export async function findChangesOf(
  tx: Tx,
  schedule: ScheduleKey,
  from: Temporal.Instant,
): Promise<Changes> {
  const { merchantId, scheduleId } = schedule;
  const found = await findChanges(tx, [{ merchantId, scheduleId }], from);
  return found.get(scheduleId) ?? new Map();
}

/** Sets an occurrence of a locked schedule: an amount in pence, or null to skip it. */
export async function setOccurrence(
  tx: Tx,
  schedule: ScheduleKey,
  dueDate: Temporal.Instant,
  amountPence: number | null,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `INSERT INTO occurrence_changes (merchant_id, schedule_id, due_date, amount_pence, changed_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (merchant_id, schedule_id, due_date) DO UPDATE SET amount_pence = excluded.amount_pence,
       changed_at = excluded.changed_at`,
    [schedule.merchantId, schedule.scheduleId, dueDate, amountPence, now],
  );
  await countChange(tx, schedule);
}

/** Takes back what was set for an occurrence of a locked schedule. Returns whether anything was. */
export async function unsetOccurrence(
  tx: Tx,
  schedule: ScheduleKey,
  dueDate: Temporal.Instant,
): Promise<boolean> {
  const removed = await tx.run(
    'DELETE FROM occurrence_changes WHERE merchant_id = $1 AND schedule_id = $2 AND due_date = $3',
    [schedule.merchantId, schedule.scheduleId, dueDate],
  );
  if (removed > 0) await countChange(tx, schedule);
  return removed > 0;
}

/** Changes the agenda's row, so that whoever is about to open an occurrence from an earlier reading finds it changed. */
async function countChange(tx: Tx, { merchantId, scheduleId }: ScheduleKey): Promise<void> {
  await tx.run(
    'UPDATE schedule_agenda SET changes = coalesce(changes, 0) + 1 WHERE merchant_id = $1 AND schedule_id = $2',
    [merchantId, scheduleId],
  );
}
