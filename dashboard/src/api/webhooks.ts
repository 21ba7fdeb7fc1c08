import type {
  EventKind,
  List,
  NewWebhookEndpoint,
  RecollectEvent,
  Replay,
  WebhookEndpoint,
  WebhookEndpointChanges,
} from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  EndpointActivity,
  EndpointHealth,
} from '../../../server/src/dashboard/webhooks/view.ts';
import { dashboard, recollect } from './client.ts';
import { useList } from './list-query.ts';

/** An endpoint as the list shows it, with how it has answered lately. */
export type EndpointItem = WebhookEndpoint & { shown: EndpointHealth };

/** Fetches the endpoints, page by page, with how each has answered lately. */
export function useEndpoints() {
  return useList<EndpointItem>(['endpoints', 'list'], (part) =>
    dashboard.get<List<EndpointItem>>('/api/v1/webhook_endpoints', part),
  );
}

/** Fetches how an endpoint has answered lately, and its newest deliveries. */
export function useEndpointActivity(id: string) {
  return useQuery({
    queryKey: ['endpoints', 'activity', id],
    queryFn: () =>
      dashboard.get<EndpointActivity>(`/api/webhook_endpoints/${encodeURIComponent(id)}/activity`),
  });
}

/** Fetches one endpoint. */
export function useEndpoint(id: string) {
  return useQuery({
    queryKey: ['endpoints', 'one', id],
    queryFn: ({ signal }) => recollect.webhookEndpoints.get(id, { signal }),
  });
}

/** Adds an endpoint; only this response contains its secret. */
export function useCreateEndpoint() {
  return useMutation({
    mutationFn: (endpoint: NewWebhookEndpoint) => recollect.webhookEndpoints.create(endpoint),
  });
}

/** Changes the given fields of an endpoint. */
export function useUpdateEndpoint(id: string) {
  return useMutation({
    mutationFn: (changes: WebhookEndpointChanges) => recollect.webhookEndpoints.update(id, changes),
  });
}

/** The actions of an endpoint's buttons. */
export function useEndpointActions(id: string) {
  const endpoints = recollect.webhookEndpoints;
  return {
    remove: useMutation({ mutationFn: () => endpoints.delete(id) }),
    rotate: useMutation({ mutationFn: () => endpoints.rotate(id) }),
    activate: useMutation({ mutationFn: () => endpoints.activate(id) }),
    test: useMutation({ mutationFn: () => endpoints.test(id) }),
  };
}

/** The filter of a list of events; the instants are ISO 8601. */
export interface EventFilter {
  kind?: EventKind;
  schedule_id?: string;
  from?: string;
  to?: string;
  delivery?: 'undelivered';
}

/** Fetches the matching events, newest first, page by page. */
export function useEvents(filter: EventFilter) {
  return useList<RecollectEvent>(['events', 'list', filter], (part, options) =>
    recollect.events.list({ ...filter, ...part }, options),
  );
}

/** Fetches one event with every delivery attempt. */
export function useEvent(id: string) {
  return useQuery({
    queryKey: ['events', 'one', id],
    queryFn: ({ signal }) => recollect.events.get(id, { signal }),
  });
}

/** Resends an event: to one endpoint, or (undefined) to all that should have it. */
export function useResend(id: string) {
  return useMutation({
    mutationFn: (endpointId: string | undefined) =>
      recollect.events.resend(id, endpointId === undefined ? {} : { endpoint_id: endpointId }),
  });
}

/** Each call replays up to 10,000 events: this many rounds are a million. */
const MAX_ROUNDS = 100;

/** The progress of a replay: `at` is where it continues. `stopped`: events are left. */
export interface ReplayProgress {
  replayed: number;
  at: string | null;
  stopped: boolean;
}

/**
 * Replays a range of events, call by call, and reports progress after each; ends early when the signal is aborted. Throws what a
 * call throws; the last reported progress then stays valid.
 */
export async function replayRange(
  range: Replay,
  signal: AbortSignal,
  tell: (progress: ReplayProgress) => void,
): Promise<ReplayProgress> {
  let progress: ReplayProgress = { replayed: 0, at: range.from, stopped: true };
  for (let round = 0; round < MAX_ROUNDS && !signal.aborted && progress.at !== null; round++) {
    const answer = await recollect.events.replay({ ...range, from: progress.at });
    const replayed = progress.replayed + answer.replayed;
    progress = { replayed, at: answer.next_from, stopped: answer.next_from !== null };
    tell(progress);
  }
  return progress;
}
