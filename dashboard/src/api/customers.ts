import type { List, Schedule } from '@recollect/sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CustomerDetail, CustomerItem } from '../../../server/src/dashboard/customers/view.ts';
import { dashboard, recollect } from './client.ts';
import { useCursorQuery } from './cursor-query.ts';
import { nextOffset, PAGE } from './offsets.ts';

/** The customers that fit the search, the newest first, page by page. */
export function useCustomers(search: string | undefined) {
  return useCursorQuery<CustomerItem>('/api/customers', { search });
}

/** One customer, with what was collected from them and their wallet; idle while there is no id. */
export function useCustomer(id: string) {
  return useQuery({
    queryKey: ['customers', 'one', id],
    queryFn: () => dashboard.get<CustomerDetail>(`/api/customers/${encodeURIComponent(id)}`),
    enabled: id !== '',
  });
}

/** The schedules of a customer, the newest first, page by page. */
export function useCustomerSchedules(id: string) {
  return useInfiniteQuery({
    queryKey: ['customers', 'schedules', id],
    queryFn: ({ pageParam, signal }): Promise<List<Schedule>> =>
      recollect.schedules.listByCustomer(id, { limit: PAGE, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });
}
