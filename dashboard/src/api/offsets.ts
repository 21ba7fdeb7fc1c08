import type { List } from '@recollect/sdk';
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';

/** The page size of lists of the public API. */
export const PAGE = 25;

/** Returns the offset of the next page; undefined: this was the last. */
export function nextOffset<T>(last: List<T>, pages: readonly List<T>[]): number | undefined {
  const seen = pages.reduce((count, page) => count + page.data.length, 0);
  return last.data.length > 0 && seen < last.total ? seen : undefined;
}

/** Joins the pages. New items shift the rest down between two pages, so duplicates are removed. */
function flatten<T extends { id: string }>(pages: readonly List<T>[]): List<T> {
  const rows = new Map(pages.flatMap((page) => page.data).map((row) => [row.id, row]));
  return { data: [...rows.values()], total: pages.at(-1)?.total ?? 0 };
}

/**
 * Fetches a list of the public API, page by page: `data.data` is every row fetched so far, `data.total` the total count.
 * `refetchInterval`: milliseconds.
 */
export function useOffsetQuery<T extends { id: string }>(
  queryKey: QueryKey,
  fetchPage: (
    part: { limit: number; offset: number },
    options: { signal: AbortSignal },
  ) => Promise<List<T>>,
  { enabled = true, refetchInterval }: { enabled?: boolean; refetchInterval?: number } = {},
) {
  return useInfiniteQuery({
    queryKey,
    enabled,
    refetchInterval,
    queryFn: async ({ pageParam, signal }): Promise<List<T>> =>
      fetchPage({ limit: PAGE, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: nextOffset<T>,
    select: ({ pages }) => flatten(pages),
    placeholderData: keepPreviousData,
  });
}
