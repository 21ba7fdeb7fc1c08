import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { OverviewView } from '../../../server/src/dashboard/overview/view.ts';
import { dashboard } from './client.ts';

/** The first page's figures over so many days; the last span's stay until the next one's are there. */
export function useOverview(days: number) {
  return useQuery({
    queryKey: ['overview', days],
    queryFn: () => dashboard.get<OverviewView>('/api/overview', { days }),
    placeholderData: keepPreviousData,
  });
}
