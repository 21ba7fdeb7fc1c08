import type { List } from '@recollect/sdk';
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';

const PAGE = 25;

/** What a list is asked for beside its filter: a page, by cursor. */
export type Part = { limit: number; after: string };

interface ListOptions {
  enabled?: boolean;
  /** In milliseconds. */
  refetchInterval?: number;
  limit?: number;
}

/** Fetches a list page by page, by cursor: `data` is every row fetched so far. Pass the result to `ListCard`. */
export function useList<T>(
  queryKey: QueryKey,
  fetchPage: (part: Part, options: { signal: AbortSignal }) => Promise<List<T>>,
  { enabled = true, refetchInterval, limit = PAGE }: ListOptions = {},
) {
  return useInfiniteQuery({
    queryKey,
    enabled,
    refetchInterval,
    queryFn: ({ pageParam: after, signal }) => fetchPage({ limit, after }, { signal }),
    initialPageParam: 'start',
    getNextPageParam: (page) => page.next_cursor,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    placeholderData: keepPreviousData,
  });
}
