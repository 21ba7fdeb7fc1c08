import type { CustomerChanges, CustomerErasure, List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { CustomerDetail, CustomerItem } from '../../../server/src/dashboard/customers/view.ts';
import { dashboard, recollect } from './client.ts';
import { useList } from './list-query.ts';

/** The filter of the list of customers; `from` and `to` are ISO 8601 and apply to when they were created. */
export interface CustomerFilter {
  q?: string;
  from?: string;
  to?: string;
  sort?: string;
}

/** Fetches the matching customers page by page, with what the dashboard shows beside them. */
export function useCustomers(filter: CustomerFilter) {
  return useList(['customers', 'list', filter], (part) =>
    dashboard.get<List<CustomerItem>>('/api/v1/customers', { ...filter, ...part }),
  );
}

/** Fetches one customer, with the total collected from them and their wallet; idle while there is no id. */
export function useCustomer(id: string) {
  return useQuery({
    queryKey: ['customers', 'one', id],
    queryFn: () => dashboard.get<CustomerDetail>(`/api/customers/${encodeURIComponent(id)}`),
    enabled: id !== '',
  });
}

/** Returns the name of a customer for a sentence: what they are called in lists, and "the customer" until that is read. */
export function useCustomerLabel(id: string): string {
  return useCustomer(id).data?.shown.label ?? 'the customer';
}

/** Changes what the team knows about a customer. */
export function useUpdateCustomer(id: string) {
  return useMutation({
    mutationFn: (changes: CustomerChanges) => recollect.customers.update(id, changes),
  });
}

/** Erases a customer's personal data. */
export function useEraseCustomer(id: string) {
  return useMutation({
    mutationFn: (erasure: CustomerErasure) => recollect.customers.erase(id, erasure),
  });
}

/** Fetches everything that is held of a customer. */
export function useExportCustomer(id: string) {
  return useMutation({ mutationFn: (reason: string) => recollect.customers.export(id, reason) });
}
