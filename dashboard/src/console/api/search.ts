import { useQuery } from '@tanstack/react-query';
import { admin } from './client.ts';

/** What a search over all merchants found. */
export interface Found {
  kind: string;
  id: string;
  /** Its name, or that of its merchant. */
  title: string;
  merchant_id: string | null;
}

export function useSearch(q: string) {
  return useQuery({
    queryKey: ['search', q],
    queryFn: () => admin.get<{ data: Found[] }>('/search', { q }),
    enabled: q !== '',
  });
}
