import type { SqlValue, Tx } from '../../platform/db/db.ts';
import { type Conditions, conditions } from '../../platform/http/lists/conditions.ts';
import type { Amounts, Span } from '../../platform/http/lists/list-filters.ts';
import { cutTo, type Order, type Page } from '../../platform/http/lists/page.ts';
import type { Schedule, ScheduleStatus } from '../terms/schedule.ts';
import { createdSince, firstActivation, isFailing } from './history-store.ts';
import { addMatch, type Match } from './match-store.ts';
import { SCHEDULE_COLUMNS, SCHEDULES, type ScheduleRow, toSchedule } from './store.ts';

/** The states of a schedule. */
export const SCHEDULE_STATUSES = ['pending_consent', 'active', 'paused', 'cancelled'] as const;

/** The orders of a list of schedules; an index has each. */
export const SCHEDULE_SORTS = ['-created_at', 'created_at', 'description', '-description'] as const;

/** Which schedules to list, in which order; an absent field does not filter. The span is of when they were created. */
export interface ScheduleFilter extends Span, Amounts {
  customerId?: string | undefined;
  status?: ScheduleStatus | undefined;
  match?: Match | null;
  /** When they first became active. */
  started?: { since: Temporal.Instant; until: Temporal.Instant } | null;
  /** Only those that are failing, for this reason if one is named. They are among `driving`. */
  failing?: { reason: string | undefined } | undefined;
  sort?: (typeof SCHEDULE_SORTS)[number];
}

/** SQL for the `amount` that a schedule has in responses, in pence: filters and sums agree with the rows that they are of. */
export const AMOUNT = `(SELECT t.amount_pence FROM schedule_terms t WHERE t.merchant_id = $1 AND t.schedule_id = s.schedule_id
  AND t.version = s.terms_version)`;

/** Looks terms up by key. */
const hasTerms = (version: string, condition: string): string =>
  `EXISTS (SELECT FROM schedule_terms t WHERE t.merchant_id = $1 AND t.schedule_id = s.schedule_id
     AND t.version ${version} AND ${condition} OFFSET 0)`;

const hasAmount = (condition: string): string => hasTerms('= s.terms_version', condition);

const ROW = {
  scheduleId: 's.schedule_id',
  customerId: 's.customer_id',
  /** A search also finds what is collected until the customer agrees to another amount. */
  hasAmount: (pence: string) =>
    hasTerms('IN (s.terms_version, s.live_version)', `t.amount_pence = ${pence}`),
};

function conditionsOf(merchantId: string, filter: ScheduleFilter): Conditions {
  const all = conditions('s.merchant_id = $1', [merchantId]);
  all.add(filter.customerId, (id) => `s.customer_id = ${id}`);
  all.span('s.created_at', filter);
  all.amounts('t.amount_pence', filter, hasAmount);
  if (filter.match) addMatch(all, filter.match, ROW);
  if (filter.started) addStarted(all, filter.started);
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

/** Returns how a list is sorted. */
export function orderOf({ sort = '-created_at' }: ScheduleFilter): Order {
  const isDescending = sort.startsWith('-');
  return sort.endsWith('description')
    ? { by: { 's.search_text': 'text', 's.schedule_id': 'text' }, isDescending }
    : { by: { 's.created_at': 'instant', 's.schedule_id': 'text' }, isDescending };
}

/** A list's page and one row more, as the rows `s` of a statement; and the source of all its rows, to be counted. */
interface SchedulesStatement {
  page: string;
  orderBy: string;
  values: SqlValue[];
  counted: { from: string; values: SqlValue[] };
}

/**
 * Returns the statement of a page: a short index scan per status, merged, so that a rare status is as fast as a common one.
 * `driving`: the only schedules that may match; null: the list is read in its order.
 */
export function schedulesStatement(
  merchantId: string,
  filter: ScheduleFilter,
  page: Page,
  driving: readonly string[] | null,
): SchedulesStatement {
  const all = conditionsOf(merchantId, filter);
  const { failing, status } = filter;
  const statuses = `$${all.values.push(status === undefined ? [...SCHEDULE_STATUSES] : [status])}::text[]`;
  const ids = driving === null ? '' : `$${all.values.push(driving)}::text[]`;
  const reason = failing?.reason === undefined ? undefined : `$${all.values.push(failing.reason)}`;
  const fails = failing === undefined ? 'true' : isFailing('$1', 's.schedule_id', reason);
  const counted = {
    from: `schedules s WHERE ${all.where()} AND s.status = ANY(${statuses}) AND ${fails}
      ${driving === null ? '' : `AND s.schedule_id = ANY(${ids})`}`,
    values: [...all.values],
  };
  const { behind, orderBy, limit, most } = cutTo(page, orderOf(filter), all.values);
  const where = `${all.where()} AND ${behind}`;
  const found =
    driving === null
      ? `SELECT s.* FROM unnest(${statuses}) AS b (wanted) CROSS JOIN LATERAL (
           SELECT s.* FROM schedules s WHERE s.status = b.wanted AND ${where} ${orderBy} ${most}) s`
      : drivenBy(`unnest(${ids})`, `s.status = ANY(${statuses}) AND ${where}`, {
          column: Object.keys(orderOf(filter).by)[0] ?? '',
          fails,
          orderBy,
          most,
        });
  const sql = `SELECT s.* FROM (${found}) s ${orderBy} ${limit}`;
  return { page: sql, orderBy, values: all.values, counted };
}

/** The schedules that match, sorted by their keys; whether one is failing is looked up in that order, until a page is full. */
function drivenBy(
  ids: string,
  where: string,
  { column, fails, orderBy, most }: Record<'column' | 'fails' | 'orderBy' | 'most', string>,
): string {
  return `SELECT w.* FROM (SELECT s.schedule_id FROM (SELECT s.* FROM ${ids} AS b (wanted) CROSS JOIN LATERAL (
        SELECT s.schedule_id, ${column} FROM schedules s WHERE s.schedule_id = b.wanted AND ${where} OFFSET 0) s
      ${orderBy} OFFSET 0) s WHERE ${fails} ${most}) k
    CROSS JOIN LATERAL (SELECT * FROM schedules WHERE merchant_id = $1 AND schedule_id = k.schedule_id OFFSET 0) w`;
}

/** Returns the newest schedules of a customer. */
export async function listSchedules(
  tx: Tx,
  merchantId: string,
  { customerId }: { customerId: string },
  limit: number,
): Promise<Schedule[]> {
  const rows = await tx.rows<ScheduleRow>(
    `SELECT ${SCHEDULE_COLUMNS} FROM ${SCHEDULES} WHERE merchant_id = $1 AND customer_id = $2
     ORDER BY schedule_id DESC LIMIT $3`,
    [merchantId, customerId, limit],
  );
  return rows.map(toSchedule);
}
