import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Attention, FailingGroup } from '../../../server/src/dashboard/attention/view.ts';
import { renew } from '../app/query-client.ts';
import { errorText } from '../ui/error-text.ts';
import { dashboard, recollect } from './client.ts';
import { remindCustomer, requestAnotherAccount } from './schedules.ts';

export type { Attention, FailingGroup };

/** How a bank answers is no change of the merchant's, so the pulse does not tell of it. */
const BANKS_MS = 60_000;

/** Fetches what needs somebody. */
export function useAttention() {
  return useQuery({
    queryKey: ['attention'],
    queryFn: () => dashboard.get<Attention>('/api/attention'),
    refetchInterval: BANKS_MS,
  });
}

/** What to do with each of many schedules. */
export type BulkAct = 'retry' | 'cancel' | 'remind' | 'another_account';

/** A schedule that something is to be done with; `payment_id`: its failed payment, if it has one. */
export interface BulkTarget {
  schedule: { id: string };
  payment_id?: string;
}

/** How an act on many went: how many it worked for, and why it did not for the others. */
export interface BulkOutcome {
  done: number;
  refused: string[];
}

/** Does the same with many schedules, one after another. One refusal does not stop the rest. */
export function useBulkAct(act: BulkAct, onProgress: (done: number) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (targets: readonly BulkTarget[]): Promise<BulkOutcome> => {
      const outcome: BulkOutcome = { done: 0, refused: [] };
      for (const [place, one] of targets.entries()) {
        try {
          await actOn(act, one);
          outcome.done++;
        } catch (error) {
          outcome.refused.push(errorText(error).advice);
        }
        onProgress(place + 1);
      }
      return outcome;
    },
    onSettled: () => renew(queries),
  });
}

/** What is said of a new link that could be sent to nobody. */
const NOT_REACHED =
  'We cannot reach this customer. Their new link is on the schedule’s page: send it to them yourself.';

async function actOn(act: BulkAct, { payment_id = '', schedule }: BulkTarget): Promise<unknown> {
  if (act === 'remind') return remindCustomer(schedule.id);
  if (act === 'another_account') {
    if (!(await requestAnotherAccount(schedule.id))) throw new Error(NOT_REACHED);
    return;
  }
  return act === 'retry'
    ? recollect.payments.retry(payment_id)
    : recollect.schedules.update(schedule.id, { status: 'cancelled' });
}
