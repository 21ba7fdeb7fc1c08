import type { List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useOffsetQuery } from '../../api/offsets.ts';
import { admin } from './client.ts';

/** Something that has been in its state for longer than that state permits. */
export interface Overdue {
  noun: string;
  state: string;
  id: string;
  merchant_id: string;
  since: string;
  age: string;
  /** How it ends by an operator's word. */
  ends_by: string;
}

/** How many of a noun are overdue in a state. */
export interface OverdueState {
  noun: string;
  state: string;
  count: number;
  oldest: Overdue;
}

export function useOverdue() {
  return useOffsetQuery(['overdue'], (part) => admin.get<List<Overdue>>('/overdue', part));
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
