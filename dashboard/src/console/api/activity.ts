import type { List } from '@recollect/sdk';
import type { ChangeView } from '../../../../server/src/operators/activity/view.ts';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';

export type Change = ChangeView;

export interface ActivityFilter {
  operator: string;
  object_id: string;
}

/** Fetches what operators changed, newest first. */
export function useActivity(filter: ActivityFilter) {
  return useList(['activity', filter], async (part) => {
    const page = await admin.get<List<Change>>('/activity', { ...filter, ...part });
    const data = page.data.map((one) => ({
      ...one,
      id: [one.at, one.object_id, one.action, one.reason].join(' '),
    }));
    return { ...page, data };
  });
}

/** Returns the address of the same as a file. */
export function activityFile(filter: ActivityFilter): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  return `/admin/v1/activity/csv?${query}`;
}
