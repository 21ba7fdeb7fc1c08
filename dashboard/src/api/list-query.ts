import type { List } from '@recollect/sdk';
import { keepPreviousData, type QueryKey, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { dashboard } from './client.ts';

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

/** How many items of a list match, and what their amounts add up to; absent: they have none. */
export type Totals = Required<Pick<List<unknown>, 'total'>> & Pick<List<unknown>, 'total_amount'>;

type Filter = Readonly<Record<string, string | number | undefined>>;

/** Fetches how many items of a list match, and what their amounts add up to. `path`: of the list, such as `/api/v1/payments`. */
export function useListTotals(path: string, filter: Filter, isSummed = true) {
  const { sort: _, ...named } = filter;
  const noun = path.split('/').at(-1) ?? '';
  return useQuery({
    queryKey: [noun, 'totals', named],
    queryFn: async (): Promise<Totals> => {
      const query = { ...named, limit: 1, ...(isSummed ? { sum: 'true' } : {}) };
      const { total = 0, total_amount } = await dashboard.get<List<unknown>>(path, query);
      return { total, ...(total_amount === undefined ? {} : { total_amount }) };
    },
    placeholderData: keepPreviousData,
  });
}
