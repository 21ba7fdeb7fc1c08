import type { List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { KindItem, KindList, NoticeItem } from '../../../server/src/dashboard/notices/view.ts';
import { BASE } from '../app/base.ts';
import { chosenMerchant, dashboard } from './client.ts';
import { useList } from './list-query.ts';

export type { KindItem, NoticeItem };

/** Fetches every kind of email, and whether it is on. */
export function useNoticeKinds() {
  return useQuery({
    queryKey: ['notice kinds'],
    queryFn: () => dashboard.get<KindList>('/api/notices/kinds'),
  });
}

interface KindSwitch {
  kind: string;
  isOn: boolean;
  daysAhead?: number;
}

/** Returns the address of a kind of email, with made-up facts, as it looks. */
export const kindAddress = (kind: string): string => previewAddress(`kinds/${kind}`);

/** Returns the address of an email as it looks. A frame sends no headers, so the merchant stands in the query. */
export function previewAddress(name: string): string {
  const query = new URLSearchParams({ merchant: chosenMerchant() ?? '' });
  return `${BASE}/api/notices/${name}/preview?${query}`;
}

/** Turns a kind of email on or off, or sets how many days ahead it is sent. */
export function useSwitchKind() {
  return useMutation({
    mutationFn: ({ kind, isOn, daysAhead }: KindSwitch) =>
      dashboard.put<KindItem>(`/api/notices/kinds/${encodeURIComponent(kind)}`, {
        is_on: isOn,
        ...(daysAhead === undefined ? {} : { days_ahead: daysAhead }),
      }),
  });
}

/** Fetches the emails, newest first, page by page. */
export function useNotices() {
  return useList(['notices'], (part) =>
    dashboard.get<List<NoticeItem>>('/api/notices', { ...part }),
  );
}
