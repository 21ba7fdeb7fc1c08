import { useMutation, useQuery } from '@tanstack/react-query';
import type { LookView } from '../../../server/src/dashboard/notices/view.ts';
import { dashboard } from './client.ts';

export type { LookView };

/** What to change; null takes it away. `logo` is base64. */
export interface LookChanges {
  colour?: string | null;
  logo?: string | null;
}

/** Fetches the logo and the colour that customers see. */
export function useLook() {
  return useQuery({ queryKey: ['look'], queryFn: () => dashboard.get<LookView>('/api/look') });
}

/** Changes only the given fields. */
export function useChangeLook() {
  return useMutation({
    mutationFn: (changes: LookChanges) => dashboard.put<LookView>('/api/look', changes),
  });
}
