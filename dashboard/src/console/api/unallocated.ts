import type { List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { FullItemView, ItemView } from '../../../../server/src/operators/unallocated/view.ts';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';

export type Item = ItemView;
export type FullItem = FullItemView;

/** How money that no payment awaits comes to its end. */
export type ItemEnd = 'allocate' | 'accept' | 'return' | 'pay_on' | 'credit';

interface Decision {
  end: ItemEnd;
  reason: string;
  payment_id?: string;
}

const path = (id: string): string => `/unallocated/${encodeURIComponent(id)}`;

export function useItems(status: 'open' | 'all') {
  return useList(['unallocated', status], async (part) => {
    const page = await admin.get<List<Item>>('/unallocated', { ...part, status });
    return { ...page, data: page.data.map((one) => ({ ...one, id: one.item_id })) };
  });
}

export function useItem(id: string) {
  return useQuery({ queryKey: ['item', id], queryFn: () => admin.get<FullItem>(path(id)) });
}

/** Decides about it; above the operators' limit a second operator must decide the same. */
export function useEndItem(id: string) {
  return useMutation({
    mutationFn: ({ end, ...body }: Decision) =>
      admin.post<{ waits_for_second: boolean; item: FullItem }>(`${path(id)}/${end}`, body),
  });
}
