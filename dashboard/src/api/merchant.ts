import type { MerchantChanges } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { recollect } from './client.ts';

/** Fetches the business details and settings of the current merchant. */
export function useMerchant() {
  return useQuery({ queryKey: ['merchant'], queryFn: () => recollect.merchant.get() });
}

/** Changes only the given fields. */
export function useChangeMerchant() {
  return useMutation({
    mutationFn: (changes: MerchantChanges) => recollect.merchant.update(changes),
  });
}
