import type { Tx } from '../../platform/db/db.ts';
import { readAmounts, readSpan } from '../../platform/http/lists/list-filters.ts';
import type { Asked } from '../../platform/platform.ts';
import type { ScheduleDeps } from '../../schedules/change/service.ts';
import { findWithFailures } from '../attention/store.ts';
import { decodeCursor, encodeCursor, pageOf } from '../cursor-list.ts';
import { findDriving } from '../lists/drive.ts';
import { readMatch } from '../lists/match.ts';
import { findOwners, type Match } from '../lists/match-store.ts';
import { monthOf, startOf } from '../reports/range.ts';
import { listItems } from './list-items.ts';
import {
  type ListedSchedule,
  searchSchedules as readPage,
  type ScheduleFilter,
  type SchedulePosition,
} from './list-store.ts';
import {
  SCHEDULE_STATUSES,
  type ScheduleList,
  type ScheduleQuery,
  type ScheduleSort,
} from './view.ts';

/** Returns a page of schedules. Throws 400 for `cursor`, `from` and `to`. */
export async function searchSchedules(
  deps: Pick<ScheduleDeps, 'platform' | 'merchantFacts'>,
  asked: Asked,
  query: ScheduleQuery,
): Promise<ScheduleList> {
  const { tx, merchantId } = asked;
  const { platform } = deps;
  const page = { after: positionOf(query), limit: query.limit + 1, sort: query.sort };
  const match = await ofSchedules(
    tx,
    merchantId,
    await readMatch(platform, tx, merchantId, query.q),
  );
  const filter = { ...filterOf(query), match, started: await startedIn(deps, asked, query) };
  const driving =
    filter.failing === undefined
      ? await findDriving(tx, merchantId, filter)
      : await findWithFailures(tx, merchantId);
  const found = await readPage(tx, merchantId, filter, page, driving);
  const { rows, next_cursor } = pageOf(found, query.limit, (last) => cursorAfter(query.sort, last));
  return { data: await listItems(platform, asked, rows), next_cursor };
}

/** Payments that were found stand for their schedules. */
async function ofSchedules(tx: Tx, merchantId: string, match: Match | null): Promise<Match | null> {
  if (match === null) return null;
  const owners = await findOwners(tx, merchantId, match.paymentIds);
  const scheduleIds = [...match.scheduleIds, ...owners.map((one) => one.scheduleId)];
  return { ...match, scheduleIds, paymentIds: [] };
}

function filterOf(query: ScheduleQuery): ScheduleFilter {
  const { status, customer_id: customerId, error_code: reason } = query;
  const isFailing = status === 'failing' || reason !== undefined;
  const statuses = status === undefined ? SCHEDULE_STATUSES : [statusOf(status)];
  return {
    statuses,
    failing: isFailing ? { reason } : undefined,
    customerId,
    ...readSpan(query),
    ...readAmounts(query),
  };
}

/** Returns the month in which they first became active; its days are those of the merchant's time zone. */
async function startedIn(
  { merchantFacts }: Pick<ScheduleDeps, 'merchantFacts'>,
  { tx, merchantId }: Asked,
  { started }: ScheduleQuery,
): Promise<ScheduleFilter['started']> {
  const month = monthOf('started', started, null);
  if (month === null) return null;
  const { timeZone } = await merchantFacts(tx, merchantId);
  return { since: startOf(month, timeZone), until: startOf(month.add({ months: 1 }), timeZone) };
}

/** A failing schedule is an active one. */
const statusOf = (status: NonNullable<ScheduleQuery['status']>) =>
  status === 'failing' ? 'active' : status;

const isByText = (sort: ScheduleSort): boolean => sort.endsWith('description');

function positionOf({ cursor, sort }: ScheduleQuery): SchedulePosition | null {
  const order = `schedules ${sort}`;
  const keyset = isByText(sort)
    ? decodeCursor(cursor, order, ['text', 'text'])
    : decodeCursor(cursor, order, ['instant', 'text']);
  return keyset && { value: keyset[0], scheduleId: keyset[1] };
}

function cursorAfter(sort: ScheduleSort, last: ListedSchedule): string {
  const value = isByText(sort) ? last.searchText : last.createdAt;
  return encodeCursor(`schedules ${sort}`, [value, last.scheduleId]);
}
