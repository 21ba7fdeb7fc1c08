import type { Tx } from '../platform/db.ts';
import type { Schedule, ScheduleStatus } from './schedule.ts';
import { SCHEDULE_COLUMNS, SCHEDULES, type ScheduleRow, toSchedule } from './store.ts';

/** Which schedules to list: all of the merchant's, or a customer's. */
export interface ScheduleFilter {
  customerId?: string;
  status?: ScheduleStatus;
}

/**
 * Returns the condition of a list on the columns of `schedules`, and its values: a statement's first parameters. It names only
 * the filters given, so that each has a plan of its own.
 */
export function listCondition(
  merchantId: string,
  filter: ScheduleFilter,
): { where: string; values: readonly string[] } {
  const all = { merchant_id: merchantId, customer_id: filter.customerId, status: filter.status };
  const given = Object.entries(all).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return {
    where: given.map(([column], n) => `${column} = $${n + 1}`).join(' AND '),
    values: given.map(([, value]) => value),
  };
}

/** Returns the newest schedules of a list. */
export async function listSchedules(
  tx: Tx,
  merchantId: string,
  filter: ScheduleFilter,
  limit: number,
): Promise<Schedule[]> {
  const { where, values } = listCondition(merchantId, filter);
  const rows = await tx.rows<ScheduleRow>(
    `SELECT ${SCHEDULE_COLUMNS} FROM ${SCHEDULES} WHERE ${where}
     ORDER BY schedule_id DESC LIMIT $${values.length + 1}`,
    [...values, limit],
  );
  return rows.map(toSchedule);
}

/** Returns how many schedules a list has. */
export async function countSchedules(
  tx: Tx,
  merchantId: string,
  filter: ScheduleFilter,
): Promise<number> {
  const { where, values } = listCondition(merchantId, filter);
  const row = await tx.row<{ total: number }>(
    `SELECT count(*) AS total FROM schedules WHERE ${where}`,
    values,
  );
  return row?.total ?? 0;
}
