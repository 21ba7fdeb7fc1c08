import type { List } from '@recollect/sdk';
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';

/** How many items of a list of the public API come at once. */
export const PAGE = 25;

/** Where the next page of such a list begins; undefined: this was the last. */
export function nextOffset<T>(last: List<T>, pages: readonly List<T>[]): number | undefined {
  const seen = pages.reduce((count, page) => count + page.data.length, 0);
  return last.data.length > 0 && seen < last.total ? seen : undefined;
}

/** What comes between two pages moves the rest down: nothing is shown twice. */
function flatten<T extends { id: string }>(pages: readonly List<T>[]): List<T> {
  const rows = new Map(pages.flatMap((page) => page.data).map((row) => [row.id, row]));
  return { data: [...rows.values()], total: pages.at(-1)?.total ?? 0 };
}

/** A list of the public API, page by page: `data.data` is every row fetched so far, `data.total` counts all there are. */
export function useOffsetQuery<T extends { id: string }>(
  queryKey: QueryKey,
  fetchPage: (
    part: { limit: number; offset: number },
    options: { signal: AbortSignal },
  ) => Promise<List<T>>,
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }): Promise<List<T>> =>
      fetchPage({ limit: PAGE, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: nextOffset<T>,
    select: ({ pages }) => flatten(pages),
    placeholderData: keepPreviousData,
  });
}
