import type { List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useOffsetQuery } from '../../api/offsets.ts';
import { admin } from './client.ts';

/** Money that no payment awaits. */
export interface Item {
  item_id: string;
  merchant_id: string;
  amount: { value: number; currency: string };
  status: 'open' | 'allocated' | 'accepted_in_part' | 'returned' | 'paid_on' | 'credited';
  age: string;
  arrived_at: string;
  why: string;
  guess: { payment_id: string; attempt: number | null } | null;
  /** What a first operator decided, where a second must agree. */
  proposed: {
    end: string;
    paymentId: string | null;
    by: string;
    reason: string;
    at: string;
  } | null;
}

export interface FullItem extends Item {
  end_to_end_id: string | null;
  source: { movement_id: string; wallet_id: string };
  payer: { name: string | null; sort_code: string | null; account_number: string | null } | null;
  ended: {
    at: string;
    by: string | null;
    confirmed_by: string | null;
    reason: string | null;
  } | null;
}

/** How money that no payment awaits comes to its end. */
export type ItemEnd = 'allocate' | 'accept' | 'return' | 'pay_on' | 'credit';

interface Decision {
  end: ItemEnd;
  reason: string;
  payment_id?: string;
}

const path = (id: string): string => `/unallocated/${encodeURIComponent(id)}`;

export function useItems(status: 'open' | 'all') {
  return useOffsetQuery(['unallocated', status], async (part) => {
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
