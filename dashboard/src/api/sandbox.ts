import type { SandboxDecided, SandboxDecision, SandboxMove, SandboxMoved } from '@recollect/sdk';
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ScheduleItem } from '../../../server/src/dashboard/schedules/list-view.ts';
import { renew } from '../app/query-client.ts';
import { recollect } from './client.ts';
import { listSchedules } from './schedules.ts';

const CLOCK = ['sandbox', 'clock'];
const MOVED = ['sandbox', 'moved'];
const EACH_MS = 5_000;
const EACH_MS_WHILE_MOVED = 500;

/** Fetches the sandbox's clock; polls it more often while it is being moved, by this page or elsewhere. */
export function useClock(isMoving = false) {
  return useQuery({
    queryKey: CLOCK,
    queryFn: ({ signal }) => recollect.sandbox.clock({ signal }),
    refetchInterval: (query) =>
      isMoving || query.state.data?.advancing ? EACH_MS_WHILE_MOVED : EACH_MS,
  });
}

/** Moves the clock forward; the response lists what happened. May take minutes. */
export function useAdvance() {
  const queries = useQueryClient();
  return useMutation<SandboxMoved, Error, SandboxMove>({
    mutationKey: ['sandbox', 'advance'],
    mutationFn: (move) => recollect.sandbox.advance(move),
    onMutate: () => queries.removeQueries({ queryKey: MOVED }),
    onSuccess: (moved) => queries.setQueryData(MOVED, moved),
    onError: () => void renew(queries),
  });
}

/** Stops the clock where it is; the move in progress then answers with what happened until there. */
export function useStopClock() {
  return useMutation({ mutationFn: () => recollect.sandbox.stop() });
}

/** Returns the result of the last move of the clock; kept while the user follows its links and comes back. */
export function useLastMove() {
  return useQuery<SandboxMoved>({ queryKey: MOVED, queryFn: skipToken, staleTime: Infinity }).data;
}

/** Fetches the schedules whose consent waits for the customer: new ones, and those with changed terms. */
export function useWaitingSchedules() {
  return useQuery({
    queryKey: ['schedules', 'waiting'],
    queryFn: async (): Promise<ScheduleItem[]> => {
      const asked = ['pending_consent', 'active', 'paused'].map((status) =>
        listSchedules({ status }, { limit: 100, after: 'start' }),
      );
      const lists = await Promise.all(asked);
      return lists.flatMap((list) => list.data).filter(({ shown }) => shown.consent_waiting);
    },
  });
}

/** Decides on a schedule's consent as a customer of the sandbox. */
export function useDecide() {
  const queries = useQueryClient();
  return useMutation<SandboxDecided, Error, SandboxDecision & { scheduleId: string }>({
    mutationFn: ({ scheduleId, ...decision }) => recollect.sandbox.consent(scheduleId, decision),
    onError: () => void renew(queries),
  });
}

/** Fetches the accounts at the sandbox's banks. */
export function useAccounts() {
  return useQuery({
    queryKey: ['sandbox', 'accounts'],
    queryFn: async ({ signal }) => (await recollect.sandbox.accounts({ signal })).banks,
  });
}

/** A change of an account; the balance is in pence. */
interface AccountChange {
  bankId: string;
  account: string;
  balance?: number;
  behaviour?: string;
}

/** Sets an account's balance or behaviour. */
export function useChangeAccount() {
  return useMutation({
    mutationFn: ({ bankId, account, ...changes }: AccountChange) =>
      recollect.sandbox.changeAccount(bankId, account, changes),
  });
}

const ISSUER = ['sandbox', 'issuer'];

/** Fetches how the sandbox's e-money issuer behaves. */
export function useIssuer() {
  return useQuery({
    queryKey: ISSUER,
    queryFn: ({ signal }) => recollect.sandbox.issuer({ signal }),
  });
}

/** Switches on exactly these modes of the e-money issuer. */
export function useChangeIssuer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (modes: string[]) => recollect.sandbox.changeIssuer({ modes }),
    onSuccess: (issuer) => queries.setQueryData(ISSUER, issuer),
  });
}

/** Sets how a whole bank behaves. */
export function useChangeBank() {
  return useMutation({
    mutationFn: ({ bankId, behaviours }: { bankId: string; behaviours: string[] }) =>
      recollect.sandbox.changeBank(bankId, { behaviours }),
  });
}

/** Resets the whole sandbox. */
export function useReset() {
  return useMutation({ mutationFn: () => recollect.sandbox.reset() });
}
