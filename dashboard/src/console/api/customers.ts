import type { CustomerErasure } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { admin } from './client.ts';

/** A customer of any merchant. The console shows nothing that names them. */
export interface Customer {
  id: string;
  merchant_id: string;
  merchant_name: string;
  created_at: string;
  erased_at: string | null;
}

const path = (id: string): string => `/customers/${encodeURIComponent(id)}`;

export function useCustomer(id: string) {
  return useQuery({ queryKey: ['customer', id], queryFn: () => admin.get<Customer>(path(id)) });
}

/** Fetches everything that is held of a customer. */
export function useExportCustomer(id: string) {
  return useMutation({
    mutationFn: (reason: string) => admin.get<object>(`${path(id)}/export`, { reason }),
  });
}

/** Erases a customer's personal data. */
export function useEraseCustomer(id: string) {
  return useMutation({
    mutationFn: (erasure: CustomerErasure) =>
      admin.post<{ erased_at: string }>(`${path(id)}/erase`, erasure),
  });
}
