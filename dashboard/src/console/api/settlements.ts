import type { List } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';

/** A settlement that needs a decision: its account is in doubt, or the issuer has another amount. */
export interface WaitingSettlement {
  id: string;
  merchant_id: string;
  amount: { value: number; currency: string };
  waits_for: 'account' | 'amount';
  since: string;
  error_message: string | null;
}

export function useWaitingSettlements() {
  return useList(['settlements'], (part) =>
    admin.get<List<WaitingSettlement>>('/settlements/waiting', part),
  );
}

/** Confirms the account of a settlement, or has the issuer asked again about its amount: whichever it waits for. */
export function useDecideSettlement() {
  return useMutation({
    mutationFn: ({ settlement, reason }: { settlement: WaitingSettlement; reason: string }) => {
      const verb = settlement.waits_for === 'account' ? 'confirm' : 'ask';
      const path = `/settlements/${encodeURIComponent(settlement.id)}/${verb}`;
      return admin.post<{ id: string }>(path, { reason });
    },
  });
}
