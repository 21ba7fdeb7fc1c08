import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Found } from '../../../server/src/dashboard/search/view.ts';
import { dashboard } from './client.ts';

/** Searches schedules, payments, customers and settlements at once; idle while nothing is typed. */
export function useSearch(q: string) {
  return useQuery({
    queryKey: ['search', q],
    queryFn: () => dashboard.get<Found>('/api/search', { q }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
}
