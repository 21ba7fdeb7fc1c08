import type { Tx } from '../../platform/db/db.ts';
import { type Conditions, conditions } from '../../platform/http/lists/conditions.ts';
import type { Amounts, Span } from '../../platform/http/lists/list-filters.ts';
import { SCHEDULE_COLUMNS, type ScheduleRow, toSchedule } from '../../schedules/books/store.ts';
import type { Schedule, ScheduleStatus } from '../../schedules/terms/schedule.ts';
import { isFailing } from '../attention/store.ts';
import { addMatch, type Match } from '../lists/match-store.ts';
import { createdSince, firstActivation } from './started-store.ts';
import type { ScheduleSort } from './view.ts';

/** A schedule, and its position in a list ordered by text. */
export interface ListedSchedule extends Schedule {
  searchText: string;
}

type Row = ScheduleRow & { searchText: string };

export const LISTED_COLUMNS = `${SCHEDULE_COLUMNS}, search_text`;

export const toListed = (row: Row): ListedSchedule => ({
  ...toSchedule(row),
  searchText: row.searchText,
});

/** Which schedules; an absent field does not filter. The span is of when they were created. */
export interface ScheduleFilter extends Span, Amounts {
  statuses: readonly ScheduleStatus[];
  customerId?: string | undefined;
  match?: Match | null;
  /** When they first became active. */
  started?: { since: Temporal.Instant; until: Temporal.Instant } | null;
  /** Only those that are failing, for this reason if one is named. They are among `driving`. */
  failing?: { reason: string | undefined } | undefined;
}

/** The place of a schedule in a list: when it was created, or its description. */
export interface SchedulePosition {
  value: Temporal.Instant | string;
  scheduleId: string;
}

/** The part of a list to read: after this place of the previous page. */
export interface SchedulePage {
  sort: ScheduleSort;
  after: SchedulePosition | null;
  limit: number;
}

/** The amount that is collected until the customer agrees to another, looked up by key. */
const hasAmount = (condition: string): string =>
  `EXISTS (SELECT FROM schedule_terms t WHERE t.merchant_id = $1 AND t.schedule_id = s.schedule_id
     AND t.version = coalesce(s.live_version, s.terms_version) AND ${condition} OFFSET 0)`;

const ROW = {
  scheduleId: 's.schedule_id',
  customerId: 's.customer_id',
  hasAmount: (pence: string) => hasAmount(`t.amount_pence = ${pence}`),
};

function conditionsOf(merchantId: string, filter: ScheduleFilter, page: SchedulePage): Conditions {
  const all = conditions('s.merchant_id = $1', [merchantId]);
  all.add(filter.customerId, (id) => `s.customer_id = ${id}`);
  all.span('s.created_at', filter);
  all.amounts('t.amount_pence', filter, hasAmount);
  if (filter.match) addMatch(all, filter.match, ROW);
  if (filter.started) addStarted(all, filter.started);
  if (page.after !== null) {
    const { column, type, isDescending } = orderOf(page.sort);
    const [value, id] = [all.values.push(page.after.value), all.values.push(page.after.scheduleId)];
    const sign = isDescending ? '<' : '>';
    all.also(`(s.${column}, s.schedule_id) ${sign} ($${value}::${type}, $${id}::text)`);
  }
  return all;
}

function addStarted(
  to: Conditions,
  { since, until }: NonNullable<ScheduleFilter['started']>,
): void {
  const [first, from, before] = [createdSince(since), since, until].map(
    (at) => `$${to.values.push(at)}::timestamptz`,
  );
  to.also(`s.created_at >= ${first} AND s.created_at < ${before} AND EXISTS (
    SELECT FROM (${firstActivation('s')}) c WHERE c.at >= ${from} AND c.at < ${before} OFFSET 0)`);
}

function orderOf(sort: ScheduleSort) {
  const isDescending = sort.startsWith('-');
  return sort.endsWith('description')
    ? { column: 'search_text', type: 'text', isDescending }
    : { column: 'created_at', type: 'timestamptz', isDescending };
}

/**
 * Returns schedules in an order: merges a short index scan per status, so that a rare status is as fast as a common one.
 * `driving`: the only schedules that may match; null: the list is read in its order.
 */
export async function searchSchedules(
  tx: Tx,
  merchantId: string,
  filter: ScheduleFilter,
  page: SchedulePage,
  driving: readonly string[] | null,
): Promise<ListedSchedule[]> {
  const all = conditionsOf(merchantId, filter, page);
  const { column, isDescending } = orderOf(page.sort);
  const direction = isDescending ? 'DESC' : 'ASC';
  const order = `${column} ${direction}, schedule_id ${direction}`;
  const inOrder = `ORDER BY ${order} LIMIT ${Math.trunc(page.limit)}`;
  const statuses = `$${all.values.push(filter.statuses)}::text[]`;
  const found =
    driving === null
      ? `unnest(${statuses}) AS b (wanted) CROSS JOIN LATERAL (
           SELECT s.* FROM schedules s WHERE s.status = b.wanted AND ${all.where()} ${inOrder}) s`
      : `(${drivenBy(driving, filter, all, { column, statuses, order })} ${inOrder}) k
         CROSS JOIN LATERAL (SELECT s.* FROM schedules s WHERE s.merchant_id = $1 AND s.schedule_id = k.schedule_id OFFSET 0) s`;
  const rows = await tx.rows<Row>(
    `SELECT ${LISTED_COLUMNS} FROM (SELECT s.* FROM ${found} ORDER BY s.${column} ${direction}, s.schedule_id ${direction}
     LIMIT ${Math.trunc(page.limit)}) s
     JOIN schedule_agenda USING (merchant_id, schedule_id) ORDER BY ${order}`,
    all.values,
  );
  return rows.map(toListed);
}

/** The keys of those that match, sorted; whether one is failing is looked up in that order, until a page is full. */
function drivenBy(
  driving: readonly string[],
  { failing }: ScheduleFilter,
  all: Conditions,
  { column, statuses, order }: { column: string; statuses: string; order: string },
): string {
  const ids = `$${all.values.push(driving)}::text[]`;
  const reason = failing?.reason === undefined ? undefined : `$${all.values.push(failing.reason)}`;
  const onlyFailing =
    failing === undefined ? '' : `WHERE ${isFailing('$1', 'k.schedule_id', reason)}`;
  return `SELECT * FROM (SELECT s.* FROM unnest(${ids}) AS b (wanted) CROSS JOIN LATERAL (
      SELECT s.schedule_id, s.${column} FROM schedules s
      WHERE s.schedule_id = b.wanted AND s.status = ANY(${statuses}) AND ${all.where()} OFFSET 0) s
      ORDER BY ${order} OFFSET 0) k ${onlyFailing}`;
}
