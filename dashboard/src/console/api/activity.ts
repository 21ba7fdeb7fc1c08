import type { List } from '@recollect/sdk';
import { useOffsetQuery } from '../../api/offsets.ts';
import { admin } from './client.ts';

export interface Change {
  at: string;
  operator: string;
  action: string;
  object_id: string;
  merchant_id: string | null;
  from: string | null;
  reason: string;
}

export interface ActivityFilter {
  operator: string;
  object_id: string;
}

/** Fetches what operators changed, newest first. */
export function useActivity(filter: ActivityFilter) {
  return useOffsetQuery(['activity', filter], async (part) => {
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
