import type { List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  OverdueStateView,
  OverdueView,
} from '../../../../server/src/operators/overdue/view.ts';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';

export type Overdue = OverdueView;
export type OverdueState = OverdueStateView;

export function useOverdue() {
  return useList(['overdue'], (part) => admin.get<List<Overdue>>('/overdue', part));
}

export function useOverdueStates() {
  return useQuery({
    queryKey: ['overdue', 'states'],
    queryFn: () => admin.get<{ data: OverdueState[] }>('/overdue/states'),
  });
}

/** An operator's word that something overdue has happened, or has not and will not. */
interface EndWord {
  outcome: 'done' | 'not_done';
  reason: string;
  evidence?: string;
}

export function useEndOverdue({ id, noun }: Overdue) {
  return useMutation({
    mutationFn: (word: EndWord) =>
      admin.post<{ id: string }>(`/overdue/${encodeURIComponent(id)}/end`, { noun, ...word }),
  });
}
