import { useMutation, useQuery } from '@tanstack/react-query';
import type { BrandingView } from '../../../server/src/dashboard/notices/view.ts';
import { dashboard } from './client.ts';

export type { BrandingView };

/** What to change; null takes it away. `logo` is base64. */
export interface BrandingChanges {
  colour?: string | null;
  logo?: string | null;
}

/** Fetches the logo and the colour that customers see. */
export function useBranding() {
  return useQuery({ queryKey: ['look'], queryFn: () => dashboard.get<BrandingView>('/api/look') });
}

/** Changes only the given fields. */
export function useChangeBranding() {
  return useMutation({
    mutationFn: (changes: BrandingChanges) => dashboard.put<BrandingView>('/api/look', changes),
  });
}
