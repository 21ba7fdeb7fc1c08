import type { CustomerErasure } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  CustomerView,
  FoundCustomersView,
  FoundCustomerView,
} from '../../../../server/src/operators/customers/view.ts';
import { admin } from './client.ts';

export type Customer = CustomerView;
export type FoundCustomer = FoundCustomerView;
export type FoundCustomers = FoundCustomersView;

const path = (id: string): string => `/customers/${encodeURIComponent(id)}`;

export function useCustomer(id: string) {
  return useQuery({ queryKey: ['customer', id], queryFn: () => admin.get<Customer>(path(id)) });
}

/** Finds customers of all merchants; recorded, so only when somebody asks. */
export function useFindCustomers() {
  return useMutation({
    mutationFn: (query: { q: string; reason: string }) =>
      admin.get<FoundCustomersView>('/customers', query),
  });
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
