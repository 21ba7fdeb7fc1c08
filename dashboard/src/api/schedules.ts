import type {
  FrequencyType,
  List,
  NewSchedule,
  Payment,
  Schedule,
  ScheduleChanges,
  ScheduleStatus,
} from '@recollect/sdk';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type {
  ChangePreview,
  ScheduleConsent,
  ScheduleItem,
  TermsPreview,
  TimelineEntry,
} from '../../../server/src/dashboard/schedules/view.ts';
import { dashboard, recollect } from './client.ts';
import { useCursorQuery } from './cursor-query.ts';
import { nextOffset, PAGE } from './offsets.ts';

/** How many coming occurrences a schedule's page shows. */
const COMING = 12;

/** How much of its history comes at once. */
const HAPPENINGS = 10;

const below = (id: string, part: string): string =>
  `/api/schedules/${encodeURIComponent(id)}/${part}`;

/** What POST /api/schedules/preview takes. */
export interface PreviewTerms {
  amount: { value: number; currency: string };
  frequency: { type: FrequencyType; day?: number; interval?: number };
  start_date?: string;
  end_date?: string;
}

/** What the list of schedules is narrowed to. */
export interface ScheduleFilter {
  search?: string;
  status?: ScheduleStatus;
}

/** The schedules that fit, the newest first, page by page. */
export function useSchedules(filter: ScheduleFilter) {
  return useCursorQuery<ScheduleItem>('/api/schedules', { ...filter });
}

/** One schedule. */
export function useSchedule(id: string) {
  return useQuery({
    queryKey: ['schedules', 'one', id],
    queryFn: ({ signal }) => recollect.schedules.get(id, { signal }),
  });
}

/** Its consent: the link that waits, what was agreed at the bank, and what went before. */
export function useScheduleConsent(id: string) {
  return useQuery({
    queryKey: ['schedules', 'consent', id],
    queryFn: () => dashboard.get<ScheduleConsent>(below(id, 'consent')),
  });
}

/** All that happened to it, the newest first, page by page. */
export function useScheduleTimeline(id: string) {
  return useCursorQuery<TimelineEntry>(below(id, 'timeline'), { limit: HAPPENINGS });
}

/** Its payments with their attempts, the newest first, page by page. */
export function useSchedulePayments(id: string) {
  return useInfiniteQuery({
    queryKey: ['schedules', 'payments', id],
    queryFn: ({ pageParam, signal }): Promise<List<Payment>> =>
      recollect.schedules.payments(id, { limit: PAGE, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });
}

/** What it will collect next. */
export function useComing(id: string) {
  return useQuery({
    queryKey: ['schedules', 'coming', id],
    queryFn: async ({ signal }) =>
      (await recollect.schedules.upcoming(id, { limit: COMING }, { signal })).data,
  });
}

/** What a form's terms would collect; what the service refuses is an answer, not a reason to ask again. */
export function useTermsPreview(terms: PreviewTerms) {
  return useQuery({
    queryKey: ['schedules', 'preview', terms],
    queryFn: () => dashboard.post<TermsPreview>('/api/schedules/preview', terms),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** What a change of a schedule would need and bring; idle where nothing changes. */
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

/** Changes what is given of a schedule, its status included. */
export function useUpdateSchedule(id: string) {
  return useMutation<Schedule, Error, ScheduleChanges>({
    mutationFn: (changes) => recollect.schedules.update(id, changes),
  });
}
