import type { List } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import type {
  DifferenceView,
  ReportView,
} from '../../../../server/src/operators/reconciliation/view.ts';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';

export type Report = ReportView;
export type Difference = DifferenceView;

export function useReports() {
  return useList(['reports'], async (part) => {
    const page = await admin.get<List<Report>>('/reconciliation/reports', part);
    return { ...page, data: page.data.map((one) => ({ ...one, id: one.date })) };
  });
}

export function useDifferences() {
  return useList(['differences'], async (part) => {
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
