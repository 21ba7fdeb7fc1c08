import type { MerchantChanges } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { recollect } from './client.ts';

/** Business details and settings of the merchant at hand. */
export function useMerchant() {
  return useQuery({ queryKey: ['merchant'], queryFn: () => recollect.merchant.get() });
}

/** Changes only the fields that are there. */
export function useChangeMerchant() {
  return useMutation({
    mutationFn: (changes: MerchantChanges) => recollect.merchant.update(changes),
  });
}
