import type { List } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import type { viewRequest } from '../../../../server/src/operators/requests/view.ts';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';

/** What an operator asked for, and a second one has to agree with. */
export type Request = ReturnType<typeof viewRequest>;

export function useRequests() {
  return useList(['requests'], (part) => admin.get<List<Request>>('/requests', part));
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
