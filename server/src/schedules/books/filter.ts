import type { Static } from 'typebox';
import type { KeyAuthority } from '../../platform/http/calls/route.ts';
import { monthOf, readAmounts, readSpan } from '../../platform/http/lists/list-filters.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import type { ScheduleFilterQuery } from '../request/list-query.ts';
import type { ScheduleFilter } from './list-store.ts';
import { matchSchedules } from './match.ts';

/** Who filters the list: a member, or an API key, which finds nothing by what it may not read. */
type Filtering = Asked & { key?: KeyAuthority };

/**
 * Reads the filters of the list of schedules. Months are those of the merchant's time zone. Throws 400 naming a wrong filter.
 */
export async function readFilter(
  platform: Platform,
  by: Filtering,
  query: Static<typeof ScheduleFilterQuery>,
  timeZone: () => Promise<string>,
): Promise<ScheduleFilter> {
  const { status, error_code: reason, customer_id: customerId } = query;
  const isFailing = status === 'failing' || reason !== undefined;
  return {
    status: status === 'failing' ? 'active' : status,
    failing: isFailing ? { reason } : undefined,
    customerId,
    match: await matchSchedules(platform, by, query.q),
    started: await startedIn(query.started, timeZone),
    ...readSpan(query),
    ...readAmounts(query),
  };
}

/** Returns the month in which they first became active. */
async function startedIn(
  text: string | undefined,
  timeZone: () => Promise<string>,
): Promise<ScheduleFilter['started']> {
  const month = monthOf('started', text, null);
  if (month === null) return null;
  const zone = await timeZone();
  const begins = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).toInstant();
  return { since: begins(month), until: begins(month.add({ months: 1 })) };
}
