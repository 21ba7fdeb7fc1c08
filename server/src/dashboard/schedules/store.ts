import type { SqlValue, Tx } from '../../platform/db.ts';
import type { Schedule, ScheduleStatus } from '../../schedules/schedule.ts';
import {
  SCHEDULE_COLUMNS,
  SCHEDULES,
  type ScheduleRow,
  toSchedule,
} from '../../schedules/store.ts';

/** A schedule, and its position in a list ordered by text. */
export interface ListedSchedule extends Schedule {
  searchText: string;
}

const COLUMNS = `${SCHEDULE_COLUMNS}, search_text`;

type Row = ScheduleRow & { search_text: string };

const toListed = (row: Row): ListedSchedule => ({
  ...toSchedule(row),
  searchText: row.search_text,
});

/** The start of a page of the newest: after this schedule of the previous page. */
export interface NewestAfter {
  createdAt: Temporal.Instant;
  scheduleId: string;
}

/** The start of a page by text. */
export interface TextAfter {
  searchText: string;
  scheduleId: string;
}

/**
 * Returns the newest schedules in these statuses after `after`: merges a short index scan per status, so that a rare status is as
 * fast as a common one.
 */
export async function listNewest(
  tx: Tx,
  merchantId: string,
  statuses: readonly ScheduleStatus[],
  after: NewestAfter | null,
  limit: number,
): Promise<ListedSchedule[]> {
  const values: SqlValue[] = [merchantId, limit, statuses];
  const behind = after === null ? '' : behindNewest(values, after);
  const rows = await tx.rows<Row>(
    `SELECT t.* FROM unnest($3::text[]) AS b (wanted) CROSS JOIN LATERAL (
       SELECT ${COLUMNS} FROM ${SCHEDULES} WHERE merchant_id = $1 AND status = b.wanted ${behind}
       ORDER BY created_at DESC, schedule_id DESC LIMIT $2) t
     ORDER BY t.created_at DESC, t.schedule_id DESC LIMIT $2`,
    values,
  );
  return rows.map(toListed);
}

/** Returns the newest schedules of these customers, in these statuses. */
export async function listOfCustomers(
  tx: Tx,
  merchantId: string,
  customerIds: readonly string[],
  statuses: readonly ScheduleStatus[],
  { after, limit }: { after: NewestAfter | null; limit: number },
): Promise<ListedSchedule[]> {
  const values: SqlValue[] = [merchantId, limit, customerIds, statuses];
  const behind = after === null ? '' : behindNewest(values, after);
  const rows = await tx.rows<Row>(
    `SELECT t.* FROM unnest($3::text[]) AS b (wanted) CROSS JOIN LATERAL (
       SELECT ${COLUMNS} FROM ${SCHEDULES}
       WHERE merchant_id = $1 AND customer_id = b.wanted AND status = ANY($4::text[]) ${behind}
       ORDER BY created_at DESC, schedule_id DESC LIMIT $2) t
     ORDER BY t.created_at DESC, t.schedule_id DESC LIMIT $2`,
    values,
  );
  return rows.map(toListed);
}

function behindNewest(values: SqlValue[], { createdAt, scheduleId }: NewestAfter): string {
  const [at, id] = [values.push(createdAt), values.push(scheduleId)];
  return `AND (created_at, schedule_id) < ($${at}::timestamptz, $${id}::text)`;
}

/** Sorts after every text with a given prefix, byte by byte. */
const LAST_CHARACTER = '\u{10ffff}';

/** Returns schedules whose description begins with a text, ignoring case, ordered by description. */
export async function listByText(
  tx: Tx,
  merchantId: string,
  prefix: string,
  statuses: readonly ScheduleStatus[],
  { after, limit }: { after: TextAfter | null; limit: number },
): Promise<ListedSchedule[]> {
  const values: SqlValue[] = [merchantId, limit, statuses, prefix, LAST_CHARACTER];
  const behind = after === null ? '' : behindText(values, after);
  const rows = await tx.rows<Row>(
    `SELECT t.* FROM unnest($3::text[]) AS b (wanted) CROSS JOIN LATERAL (
       SELECT ${COLUMNS} FROM ${SCHEDULES}
       WHERE merchant_id = $1 AND status = b.wanted
         AND search_text >= lower($4::text) AND search_text < lower($4::text) || $5::text ${behind}
       ORDER BY search_text, schedule_id LIMIT $2) t
     ORDER BY t.search_text, t.schedule_id LIMIT $2`,
    values,
  );
  return rows.map(toListed);
}

function behindText(values: SqlValue[], { searchText, scheduleId }: TextAfter): string {
  const [text, id] = [values.push(searchText), values.push(scheduleId)];
  return `AND (search_text, schedule_id) > ($${text}::text, $${id}::text)`;
}

/** Returns one schedule, if it is in one of these statuses. */
export async function listOne(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
  statuses: readonly ScheduleStatus[],
): Promise<ListedSchedule[]> {
  const rows = await tx.rows<Row>(
    `SELECT ${COLUMNS} FROM ${SCHEDULES}
     WHERE merchant_id = $1 AND schedule_id = $2 AND status = ANY($3::text[])`,
    [merchantId, scheduleId, statuses],
  );
  return rows.map(toListed);
}

export interface LastPayment {
  schedule_id: string;
  payment_id: string;
  status: 'pending' | 'processing' | 'success' | 'failed';
  due_date: Temporal.Instant;
}

/** Returns the latest payment per schedule; schedules without any are absent. */
export async function lastPayments(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<Map<string, LastPayment>> {
  const rows = await tx.rows<LastPayment>(
    `SELECT p.* FROM unnest($2::text[]) AS s (wanted) CROSS JOIN LATERAL (
       SELECT schedule_id, payment_id, status, due_date FROM payments
       WHERE merchant_id = $1 AND schedule_id = s.wanted ORDER BY due_date DESC LIMIT 1) p`,
    [merchantId, scheduleIds],
  );
  return new Map(rows.map((row) => [row.schedule_id, row]));
}

/** Returns schedules by id, newest first. */
export async function findListed(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<ListedSchedule[]> {
  if (scheduleIds.length === 0) return [];
  const rows = await tx.rows<Row>(
    `SELECT t.* FROM unnest($2::text[]) AS w (wanted) CROSS JOIN LATERAL (
       SELECT ${COLUMNS} FROM ${SCHEDULES} WHERE merchant_id = $1 AND schedule_id = w.wanted OFFSET 0) t
     ORDER BY t.created_at DESC, t.schedule_id DESC`,
    [merchantId, scheduleIds],
  );
  return rows.map(toListed);
}
