import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { dashboard } from './client.ts';

interface CursorPage<T> {
  data: T[];
  next_cursor: string | null;
}

/**
 * Fetches a list of the dashboard's own endpoints, page by page: `data` is every row fetched so far. Pass the result to
 * `QueryView` and `LoadMore`.
 */
export function useCursorQuery<T>(
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
) {
  return useInfiniteQuery({
    queryKey: [path, query],
    queryFn: ({ pageParam }) =>
      dashboard.get<CursorPage<T>>(path, { ...query, cursor: pageParam ?? undefined }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    placeholderData: keepPreviousData,
  });
}
