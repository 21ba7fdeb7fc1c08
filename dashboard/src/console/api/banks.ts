import type { BankCondition, Bank as BankOfApi, List } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import { useOffsetQuery } from '../../api/offsets.ts';
import { admin } from './client.ts';
import type { Hold } from './merchants.ts';

/** A stretch of time in which a bank was in one condition; null: nothing is known of it. */
export interface BankStretch {
  condition: BankCondition | null;
  from: string;
  to: string;
}

/** How a bank was over the last 24 hours, and when it was stopped. */
export interface BankDay {
  last_day: BankStretch[];
  last_day_stops: { from: string; to: string }[];
}

export interface Bank extends BankDay {
  id: string;
  /** Null: no longer configured. */
  name: string | null;
  stopped: Hold | null;
  distrusted_since: string | null;
  consents_granted: number;
  consents_in_doubt: number;
  consents_suspended: number;
  deletions_waiting: number;
  condition: BankCondition;
  /** Since when; null: it was not called yet. */
  since: string | null;
  operations: BankOfApi['operations'];
  /** What is due there and not sent. */
  waiting: {
    payments: number;
    merchants: number;
    amount: { value: number; currency: string };
    since: string | null;
  };
}

/** What an operator does about a bank. */
export type BankDecision = 'stop' | 'resume' | 'trust';

export function useBanks() {
  return useOffsetQuery(['banks'], (part) => admin.get<List<Bank>>('/banks', part));
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
