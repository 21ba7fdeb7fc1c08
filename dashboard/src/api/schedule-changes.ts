import type { CreateScheduleChangeRequest, List, ScheduleChange } from '@recollect/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChangedSchedule } from '../../../server/src/dashboard/schedules/changed-view.ts';
import { dashboard, recollect } from './client.ts';
import { useList } from './list-query.ts';

/** Which schedules a change is about: some, or all that a filter of the list finds. */
export type ChosenSchedules = Pick<CreateScheduleChangeRequest, 'schedule_ids' | 'filter'>;

/** A change of many, and its line, as the dashboard lists them. */
export type { ChangedSchedule, ScheduleChange };

const OFTEN_MS = 1_000;

/** Creates a preview: what a change would mean for each of these schedules; nothing is changed. */
export function usePreviewMany() {
  return useMutation<ScheduleChange, Error, Omit<CreateScheduleChangeRequest, 'preview'>>({
    mutationFn: (change) => recollect.scheduleChanges.create({ ...change, preview: true }),
  });
}

/** A preview on its way, there, or refused. */
export type Preview = Pick<ReturnType<typeof usePreviewMany>, 'data' | 'error'>;

/** Fetches a change again and again while it runs. */
export function useScheduleChange(id: string) {
  return useQuery({
    queryKey: ['schedule-changes', 'one', id],
    queryFn: ({ signal }) => recollect.scheduleChanges.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? OFTEN_MS : false),
  });
}

/** Fetches the latest changes page by page. */
export function useScheduleChanges() {
  return useList<ScheduleChange>(['schedule-changes', 'list'], (part, options) =>
    recollect.scheduleChanges.list(part, options),
  );
}

/** Fetches the schedules of a change page by page. `progress`: how far it is; they are fetched again when that changes. */
export function useChangedSchedules(id: string, filter: { effect?: string }, progress: string) {
  return useList(['schedule-changes', 'lines', id, filter, progress], async (part) => {
    const path = `/api/v1/schedule_changes/${encodeURIComponent(id)}/lines`;
    const page = await dashboard.get<List<ChangedSchedule>>(path, { ...filter, ...part });
    return { ...page, data: page.data.map((line) => ({ ...line, id: line.schedule_id })) };
  });
}

/** Starts a preview, or runs what failed again. */
export function useRunChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => recollect.scheduleChanges.run(id),
    onSuccess: (change) => client.setQueryData(['schedule-changes', 'one', change.id], change),
  });
}
