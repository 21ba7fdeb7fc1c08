import type { List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  BreachView,
  DayView,
  EntryView,
  FigureView,
  ReceiptView,
} from '../../../../server/src/operators/safeguarding/view.ts';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';

export type Day = DayView;
export type Breach = BreachView;
export type Receipt = ReceiptView;
export type Entry = EntryView;
export type Figure = FigureView;

export function useDays() {
  return useList(['safeguarding-days'], async (part) => {
    const page = await admin.get<List<Day>>('/safeguarding/days', part);
    return { ...page, data: page.data.map((one) => ({ ...one, id: one.date })) };
  });
}

export function useBreaches() {
  return useList(['safeguarding-breaches'], async (part) => {
    const page = await admin.get<List<Breach>>('/safeguarding/breaches', part);
    return { ...page, data: page.data.map((one) => ({ ...one, id: `${one.kind} ${one.about}` })) };
  });
}

export function useReceipts() {
  return useList(['safeguarding-receipts'], (part) =>
    admin.get<List<Receipt>>('/safeguarding/receipts', part),
  );
}

export function useRegister() {
  return useList(['safeguarding-register'], (part) =>
    admin.get<List<Entry>>('/safeguarding/register', part),
  );
}

/** `month`: such as 2026-10. */
export function useMonth(month: string) {
  return useQuery({
    queryKey: ['safeguarding-month', month],
    queryFn: () => admin.get<{ figures: Figure[] }>(`/safeguarding/months/${month}`),
  });
}

export interface Answer {
  answer: string;
  paid_in_pence: number;
  taken_out_pence: number;
}

export function useAnswer() {
  return useMutation({
    mutationFn: ({ date, ...body }: Answer & { date: string }) =>
      admin.post<Day>(`/safeguarding/days/${date}/answer`, body),
  });
}

/** Makes today's reconciliation again. */
export function useRunToday() {
  return useMutation({ mutationFn: () => admin.post<Day>('/safeguarding/days/run') });
}

export function useExplain() {
  return useMutation({
    mutationFn: (body: Pick<Breach, 'kind' | 'about'> & { explanation: string }) =>
      admin.post<object>('/safeguarding/breaches/explain', body),
  });
}

export function useEnter() {
  return useMutation({
    mutationFn: (body: Pick<Entry, 'kind' | 'name' | 'identifier' | 'note'>) =>
      admin.post<Entry>('/safeguarding/register', body),
  });
}

export function useEnd() {
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      admin.post<Entry>(`/safeguarding/register/${id}/end`, { reason }),
  });
}

/** The address of the resolution pack as one archive, as of now. */
export const PACK_FILE = '/admin/v1/safeguarding/pack';
