import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Journal } from '../../../server/src/dashboard/accounting/view.ts';
import type { Statement } from '../../../server/src/dashboard/reports/statement-view.ts';
import type {
  AgeingReport,
  CalendarReport,
  CohortReport,
  FailureReport,
} from '../../../server/src/dashboard/reports/view.ts';
import { dashboard } from './client.ts';

/** The first part of the key of every report: a report is of one moment, and is not read again at every change. */
export const REPORTS = 'reports';

/** The addresses of the reports. */
export const REPORT_PATHS = {
  failures: '/api/reports/failures',
  ageing: '/api/reports/ageing',
  cohorts: '/api/reports/cohorts',
  calendar: '/api/reports/calendar',
  statement: '/api/reports/statement',
  journal: '/api/reports/journal',
} as const;

interface Reports {
  failures: FailureReport;
  ageing: AgeingReport;
  cohorts: CohortReport;
  calendar: CalendarReport;
  statement: Statement;
  journal: Journal;
}

/** Fetches a report; values of the query that are '' are left out. The previous one stays until it is there. */
export function useReport<K extends keyof Reports>(
  name: K,
  query: Readonly<Record<string, string>>,
) {
  const asked = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  return useQuery({
    queryKey: [REPORTS, name, asked],
    queryFn: () => dashboard.get<Reports[K]>(REPORT_PATHS[name], asked),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
