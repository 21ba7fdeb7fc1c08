import type { CaseFile, List } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import type { DisputeOfAllView } from '../../../../server/src/operators/disputes/view.ts';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';

export type DisputeOfAll = DisputeOfAllView;

/** Fetches the disputes of all merchants in a status, the nearest deadline first. */
export function useDisputesOfAll(status: string) {
  return useList<DisputeOfAll>(['disputes', status], (part) =>
    admin.get<List<DisputeOfAll>>('/disputes', { status, ...part }),
  );
}

/** Takes the case file of a dispute. */
export function useTakeCaseFile() {
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      admin.post<CaseFile>(`/disputes/${encodeURIComponent(id)}/file`, { reason }),
  });
}
