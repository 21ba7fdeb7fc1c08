import type {
  AmountMode,
  FirstPaymentInput,
  FrequencyType,
  LimitsInput,
  List,
  NewPayment,
  NewSchedule,
  NonWorkingDay,
  Occurrence,
  OccurrenceChange,
  Payment,
  Schedule,
  ScheduleChanges,
} from '@recollect/sdk';
import { RecollectError } from '@recollect/sdk';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { ScheduleItem } from '../../../server/src/dashboard/schedules/list-view.ts';
import type {
  ChangePreview,
  PortalLink,
  Reminded,
  ScheduleConsent,
  TermsPreview,
  TimelineEntry,
} from '../../../server/src/dashboard/schedules/view.ts';
import { dashboard, recollect } from './client.ts';
import { type Part, useList } from './list-query.ts';

export type { Reminded };

/** How many upcoming occurrences a schedule's page shows. */
const COMING = 12;

/** How many entries of its history are fetched at once. */
const HISTORY_PAGE_SIZE = 10;

const below = (id: string, part: string): string =>
  `/api/schedules/${encodeURIComponent(id)}/${part}`;

/** The body of POST /api/schedules/preview. */
export interface PreviewTerms {
  amount: { value: number; currency: string };
  frequency: { type: FrequencyType; day?: number; interval?: number };
  non_working_day?: NonWorkingDay;
  start_date?: string;
  end_date?: string;
  limits?: LimitsInput;
  amount_mode?: AmountMode;
  first_payment?: FirstPaymentInput;
}

/** Whose the terms are, for the preview of the reference. */
export interface PreviewCustomer {
  user_id?: string;
  customer_reference?: string;
}

/** The filter of the list of schedules. */
export interface ScheduleFilter {
  q?: string;
  /** Also `failing`. */
  status?: string;
  error_code?: string;
  customer_id?: string;
  /** The month in which they first became active, as `2026-03`. */
  started?: string;
  from?: string;
  to?: string;
  amount_from?: number;
  amount_to?: number;
  sort?: string;
}

/** Fetches a page of the matching schedules, with what the dashboard shows beside them. */
export function listSchedules(filter: ScheduleFilter, part: Part): Promise<List<ScheduleItem>> {
  return dashboard.get('/api/v1/schedules', { ...filter, ...part });
}

/** Fetches the matching schedules page by page. */
export function useSchedules(filter: ScheduleFilter) {
  return useList(['schedules', 'list', filter], (part) => listSchedules(filter, part));
}

/** Fetches one schedule. */
export function useSchedule(id: string) {
  return useQuery({
    queryKey: ['schedules', 'one', id],
    queryFn: ({ signal }) => recollect.schedules.get(id, { signal }),
  });
}

/** Fetches its consent: the open link, the agreement at the bank, and past consents. */
export function useScheduleConsent(id: string) {
  return useQuery({
    queryKey: ['schedules', 'consent', id],
    queryFn: () => dashboard.get<ScheduleConsent>(below(id, 'consent')),
  });
}

/** Fetches the link to the customer's page; the service records who got it. */
export function usePortalLink(id: string) {
  return useMutation({
    mutationFn: () => dashboard.post<PortalLink>(below(id, 'portal_link')),
  });
}

/** Sends the customer the link to the consent that waits for them. */
export function remindCustomer(id: string): Promise<Reminded> {
  return dashboard.post<Reminded>(below(id, 'remind'));
}

/**
 * Asks the customer of a schedule for another account, and sends them the new link. Returns false where they cannot be reached:
 * it has to be copied.
 */
export async function requestAnotherAccount(id: string): Promise<boolean> {
  await recollect.schedules.requestAnotherAccount(id);
  try {
    await remindCustomer(id);
    return true;
  } catch (error) {
    if (!(error instanceof RecollectError)) throw error;
    if (error.code === 'reminded_already') return true; // the new link was sent as it was made
    if (error.code === 'customer_without_email') return false;
    throw error;
  }
}

/** Fetches everything that happened to it, newest first, page by page. */
export function useScheduleTimeline(id: string) {
  return useList(
    ['schedules', 'timeline', id],
    (part) => dashboard.get<List<TimelineEntry>>(below(id, 'timeline'), { ...part }),
    { limit: HISTORY_PAGE_SIZE },
  );
}

/** Fetches its payments with their attempts, newest first, page by page. */
export function useSchedulePayments(id: string) {
  return useList<Payment>(['schedules', 'payments', id], (part, options) =>
    recollect.schedules.payments(id, part, options),
  );
}

/** Fetches its upcoming occurrences. */
export function useComing(id: string) {
  return useQuery({
    queryKey: ['schedules', 'coming', id],
    queryFn: async ({ signal }) =>
      (await recollect.schedules.upcoming(id, { limit: COMING }, { signal })).data,
  });
}

/** Fetches what a form's terms would collect; a refusal is a result, not a reason to retry. */
export function useTermsPreview(terms: PreviewTerms & PreviewCustomer) {
  return useQuery({
    queryKey: ['schedules', 'preview', terms],
    queryFn: () => dashboard.post<TermsPreview>('/api/schedules/preview', terms),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** Fetches what a change of a schedule would need and do; idle if nothing changes. */
export function useChangePreview(id: string, changes: ScheduleChanges) {
  return useQuery({
    queryKey: ['schedules', 'change', id, changes],
    queryFn: () => dashboard.post<ChangePreview>(below(id, 'preview'), changes),
    enabled: Object.keys(changes).length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** Creates a schedule. */
export function useCreateSchedule() {
  return useMutation<Schedule, Error, NewSchedule>({
    mutationFn: (schedule) => recollect.schedules.create(schedule),
  });
}

/** Makes one payment besides its occurrences. */
export function useCollectOnce(id: string) {
  return useMutation<Payment, Error, NewPayment>({
    mutationFn: (payment) => recollect.schedules.collect(id, payment),
  });
}

/** Changes the given fields of a schedule, its status included. */
export function useUpdateSchedule(id: string) {
  return useMutation<Schedule, Error, ScheduleChanges>({
    mutationFn: (changes) => recollect.schedules.update(id, changes),
  });
}

/** Sets what an upcoming occurrence collects, or takes that back (null). */
export function useChangeUpcoming(id: string) {
  return useMutation<Occurrence, Error, { dueDate: string; change: OccurrenceChange | null }>({
    mutationFn: ({ dueDate, change }) =>
      change === null
        ? recollect.schedules.restoreUpcoming(id, dueDate)
        : recollect.schedules.changeUpcoming(id, dueDate, change),
  });
}
