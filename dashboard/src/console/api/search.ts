import { useQuery } from '@tanstack/react-query';
import type { FoundView } from '../../../../server/src/operators/search/view.ts';
import { admin } from './client.ts';

export type Found = FoundView;

export function useSearch(q: string) {
  return useQuery({
    queryKey: ['search', q],
    queryFn: () => admin.get<{ data: Found[] }>('/search', { q }),
    enabled: q !== '',
  });
}
