import type { List } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import { useOffsetQuery } from '../../api/offsets.ts';
import { admin } from './client.ts';

export interface Report {
  date: string;
  made_at: string;
  lines: number;
  open_differences: number;
  unknown: string | null;
  unknown_since: string | null;
}

export interface Difference {
  item: string;
  date: string;
  merchant_id: string | null;
  amount_pence: number | null;
  what: string;
  found_at: string;
}

export function useReports() {
  return useOffsetQuery(['reports'], async (part) => {
    const page = await admin.get<List<Report>>('/reconciliation/reports', part);
    return { ...page, data: page.data.map((one) => ({ ...one, id: one.date })) };
  });
}

export function useDifferences() {
  return useOffsetQuery(['differences'], async (part) => {
    const page = await admin.get<List<Difference>>('/reconciliation/differences', part);
    return { ...page, data: page.data.map((one) => ({ ...one, id: one.item })) };
  });
}

export function useResolve() {
  return useMutation({
    mutationFn: (body: { item: string; resolution: string }) =>
      admin.post<{ item: string }>('/reconciliation/differences/resolve', body),
  });
}

/** Reconciles a day with the issuer now. */
export function useReconcile() {
  return useMutation({
    mutationFn: (date: string) =>
      admin.post<Report>(`/reconciliation/reports/${encodeURIComponent(date)}/run`),
  });
}
