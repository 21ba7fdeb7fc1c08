import type { SqlValue, Tx } from '../../platform/db/db.ts';
import { conditions } from '../../platform/http/lists/conditions.ts';
import type { Amounts, Span } from '../../platform/http/lists/list-filters.ts';
import type { Schedule, ScheduleStatus } from '../terms/schedule.ts';
import { SCHEDULE_COLUMNS, SCHEDULES, type ScheduleRow, toSchedule } from './store.ts';

/** Which schedules to list; an absent field does not filter. The span is of when they were created. */
export interface ScheduleFilter extends Span, Amounts {
  customerId?: string | undefined;
  status?: ScheduleStatus | undefined;
}

/** The amount that is collected until the customer agrees to another. */
const hasAmount = (condition: string): string =>
  `EXISTS (SELECT FROM schedule_terms t WHERE t.merchant_id = $1 AND t.schedule_id = schedules.schedule_id
     AND t.version = coalesce(schedules.live_version, schedules.terms_version) AND ${condition})`;

/** Returns the condition of a list on the columns of `schedules`, and its values: a statement's first parameters. */
export function listCondition(
  merchantId: string,
  filter: ScheduleFilter,
): { where: string; values: readonly SqlValue[] } {
  const all = conditions('merchant_id = $1', [merchantId]);
  all.add(filter.customerId, (id) => `customer_id = ${id}`);
  all.add(filter.status, (status) => `status = ${status}`);
  all.span('created_at', filter);
  all.amounts('t.amount_pence', filter, hasAmount);
  return { where: all.where(), values: all.values };
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
