import { findCustomerIds } from '../../customers/search.ts';
import { parseSearch, type SearchTerm } from '../../customers/search-term.ts';
import { findPayment } from '../../payments/read-store.ts';
import type { Tx } from '../../platform/db.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import type { ScheduleStatus } from '../../schedules/schedule.ts';
import { decodeCursor, encodeCursor, pageOf } from '../cursor-list.ts';
import { listItems } from './list-items.ts';
import {
  type ListedSchedule,
  listByText,
  listNewest,
  listOfCustomers,
  listOne,
  type NewestAfter,
  type TextAfter,
} from './store.ts';
import { SCHEDULE_STATUSES, type ScheduleList } from './view.ts';

/** Which schedules to list; `search` as a person typed it. */
export interface ScheduleQuery {
  search?: string;
  status?: ScheduleStatus;
  limit: number;
  cursor?: string;
}

/** The most customers whose schedules one search lists. */
const MOST_CUSTOMERS = 1000;

/** The meaning of a search: one schedule, those of customers, those whose description has this prefix, or all. */
type Wanted =
  | { by: 'id'; scheduleId: string }
  | { by: 'customer'; customerIds: string[] }
  | { by: 'text'; prefix: string }
  | { by: 'all' };

/**
 * Returns a page of schedules: newest first, or by description in a text search. Throws 400 for an invalid cursor or one of
 * another search.
 */
export async function searchSchedules(
  platform: Platform,
  asked: Asked,
  query: ScheduleQuery,
): Promise<ScheduleList> {
  const wanted = await wantedBy(platform, asked, parseSearch(query.search));
  const found = await find(asked, wanted, query);
  const { rows, next_cursor } = pageOf(found, query.limit, (last) => cursorAfter(wanted, last));
  return { data: await listItems(platform, asked, rows), next_cursor };
}

async function wantedBy(
  platform: Platform,
  { tx, merchantId }: Asked,
  term: SearchTerm,
): Promise<Wanted> {
  if (term.text === '') return { by: 'all' };
  if (term.object !== null) return wantedObject(tx, merchantId, term.object);
  const customerIds = await findCustomerIds(platform, tx, merchantId, term.text, MOST_CUSTOMERS);
  return customerIds.length > 0
    ? { by: 'customer', customerIds }
    : { by: 'text', prefix: term.text };
}

async function wantedObject(
  tx: Tx,
  merchantId: string,
  { type, id }: NonNullable<SearchTerm['object']>,
): Promise<Wanted> {
  if (type === 'customer') return { by: 'customer', customerIds: [id] };
  if (type === 'schedule') return { by: 'id', scheduleId: id };
  const payment = await findPayment(tx, merchantId, id);
  return { by: 'id', scheduleId: payment?.schedule_id ?? id };
}

function find(
  { tx, merchantId }: Asked,
  wanted: Wanted,
  { status, limit, cursor }: ScheduleQuery,
): Promise<ListedSchedule[]> {
  const most = limit + 1;
  const statuses = status === undefined ? SCHEDULE_STATUSES : [status];
  switch (wanted.by) {
    case 'id':
      decodeCursor(cursor, 'id', []);
      return listOne(tx, merchantId, wanted.scheduleId, statuses);
    case 'customer': {
      const page = { after: newestAfter(cursor), limit: most };
      return listOfCustomers(tx, merchantId, wanted.customerIds, statuses, page);
    }
    case 'text': {
      const page = { after: textAfter(cursor), limit: most };
      return listByText(tx, merchantId, wanted.prefix, statuses, page);
    }
    case 'all':
      return listNewest(tx, merchantId, statuses, newestAfter(cursor), most);
  }
}

function newestAfter(cursor: string | undefined): NewestAfter | null {
  const keyset = decodeCursor(cursor, 'newest', ['instant', 'text']);
  return keyset && { createdAt: keyset[0], scheduleId: keyset[1] };
}

function textAfter(cursor: string | undefined): TextAfter | null {
  const keyset = decodeCursor(cursor, 'text', ['text', 'text']);
  return keyset && { searchText: keyset[0], scheduleId: keyset[1] };
}

function cursorAfter(wanted: Wanted, last: ListedSchedule): string {
  const { createdAt, scheduleId, searchText } = last;
  return wanted.by === 'text'
    ? encodeCursor('text', [searchText, scheduleId])
    : encodeCursor('newest', [createdAt, scheduleId]);
}
