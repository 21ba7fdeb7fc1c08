import type { List } from '@recollect/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dashboard } from './client.ts';

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
