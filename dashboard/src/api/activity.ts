import type { List } from '@recollect/sdk';
import type { ActivityItem } from '../../../server/src/dashboard/activity/view.ts';
import { dashboard } from './client.ts';
import { useList } from './list-query.ts';

/** The filter of the activity log; the instants are ISO 8601, and an empty value does not filter. */
export interface ActivityFilter {
  actor_type: string;
  subject: string;
  from?: string;
  to?: string;
}

/** The address of the activity log. */
export const ACTIVITY = '/api/activity';

/** Fetches what people changed, newest first, page by page. */
export function useActivity(filter: ActivityFilter) {
  return useList([ACTIVITY, filter], (part) =>
    dashboard.get<List<ActivityItem>>(ACTIVITY, { ...filter, ...part }),
  );
}
