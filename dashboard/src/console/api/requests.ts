import type { List } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import { useOffsetQuery } from '../../api/offsets.ts';
import { admin } from './client.ts';
import type { Role } from './roles.ts';

/** What an operator asked for, and a second one has to agree with. */
export interface Request {
  id: string;
  role: Role;
  /** In a sentence. */
  what: string;
  reason: string;
  status: 'pending' | 'agreed' | 'taken_back' | 'expired';
  asked_by: string;
  asked_in_shell: boolean;
  asked_at: string;
  expires_at: string;
}

export function useRequests() {
  return useOffsetQuery(['requests'], (part) => admin.get<List<Request>>('/requests', part));
}

export function useDecideRequest() {
  return useMutation({
    mutationFn: ({
      id,
      verb,
      reason,
    }: {
      id: string;
      verb: 'agree' | 'take_back';
      reason: string;
    }) => admin.post<Request>(`/requests/${encodeURIComponent(id)}/${verb}`, { reason }),
  });
}

/** Asks for the release of pay-outs that only two operators release. */
export function useAskRelease(merchantId: string) {
  return useMutation({
    mutationFn: (reason: string) =>
      admin.post<Request>(`/merchants/${encodeURIComponent(merchantId)}/release_pay_outs/ask`, {
        reason,
      }),
  });
}
