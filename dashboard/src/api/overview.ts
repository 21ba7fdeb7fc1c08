import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { OverviewView } from '../../../server/src/dashboard/overview/view.ts';
import { dashboard } from './client.ts';

/** Fetches the overview of the last `days` days; the previous data stays until the new data arrives. */
export function useOverview(days: number) {
  return useQuery({
    queryKey: ['overview', days],
    queryFn: () => dashboard.get<OverviewView>('/api/overview', { days }),
    placeholderData: keepPreviousData,
  });
}
