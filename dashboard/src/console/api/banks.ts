import type { List } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import type { viewBank } from '../../../../server/src/operators/banks/view.ts';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';

export type Bank = ReturnType<typeof viewBank>;
/** How a bank was over the last 24 hours, and when it was stopped. */
export type BankDay = Pick<Bank, 'last_day' | 'last_day_stops'>;
/** A stretch of time in which a bank was in one condition; null: nothing is known of it. */
export type ConditionPeriod = Bank['last_day'][number];

/** What an operator does about a bank. */
export type BankDecision = 'stop' | 'resume' | 'trust';

/** A bank that goes down, or answers again, shows while the page is open. */
const EVERY_MS = 10_000;

export function useBanks() {
  return useList(['banks'], (part) => admin.get<List<Bank>>('/banks', part), {
    refetchInterval: EVERY_MS,
  });
}

export function useDecideBank() {
  return useMutation({
    mutationFn: ({
      id,
      decision,
      reason,
    }: {
      id: string;
      decision: BankDecision;
      reason: string;
    }) => admin.post<Bank>(`/banks/${encodeURIComponent(id)}/${decision}`, { reason }),
  });
}
