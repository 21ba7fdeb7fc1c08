import type {
  EventKind,
  NewWebhookEndpoint,
  RecollectEvent,
  Replay,
  WebhookEndpoint,
  WebhookEndpointChanges,
} from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { recollect } from './client.ts';
import { useOffsetQuery } from './offsets.ts';

/** Where events are sent, page by page. */
export function useEndpoints() {
  return useOffsetQuery<WebhookEndpoint>(['endpoints', 'list'], (part, options) =>
    recollect.webhookEndpoints.list(part, options),
  );
}

/** One endpoint. */
export function useEndpoint(id: string) {
  return useQuery({
    queryKey: ['endpoints', 'one', id],
    queryFn: ({ signal }) => recollect.webhookEndpoints.get(id, { signal }),
  });
}

/** Adds an endpoint; the answer holds its secret, once. */
export function useCreateEndpoint() {
  return useMutation({
    mutationFn: (endpoint: NewWebhookEndpoint) => recollect.webhookEndpoints.create(endpoint),
  });
}

/** Changes what is given of an endpoint. */
export function useUpdateEndpoint(id: string) {
  return useMutation({
    mutationFn: (changes: WebhookEndpointChanges) => recollect.webhookEndpoints.update(id, changes),
  });
}

/** What is done to an endpoint at the press of a button. */
export function useEndpointActions(id: string) {
  const endpoints = recollect.webhookEndpoints;
  return {
    remove: useMutation({ mutationFn: () => endpoints.delete(id) }),
    rotate: useMutation({ mutationFn: () => endpoints.rotate(id) }),
    activate: useMutation({ mutationFn: () => endpoints.activate(id) }),
    test: useMutation({ mutationFn: () => endpoints.test(id) }),
  };
}

/** What a list of events is narrowed to; the instants are ISO 8601. */
export interface EventFilter {
  kind?: EventKind;
  schedule_id?: string;
  from?: string;
  to?: string;
  delivery?: 'undelivered';
}

/** The events that fit, the newest first, page by page. */
export function useEvents(filter: EventFilter) {
  return useOffsetQuery<RecollectEvent>(['events', 'list', filter], (part, options) =>
    recollect.events.list({ ...filter, ...part }, options),
  );
}

/** One event with every attempt to deliver it. */
export function useEvent(id: string) {
  return useQuery({
    queryKey: ['events', 'one', id],
    queryFn: ({ signal }) => recollect.events.get(id, { signal }),
  });
}

/** Sends an event again: to one endpoint, or (undefined) to all that should have it. */
export function useResend(id: string) {
  return useMutation({
    mutationFn: (endpointId: string | undefined) =>
      recollect.events.resend(id, endpointId === undefined ? {} : { endpoint_id: endpointId }),
  });
}

/** Each call takes up to 10,000 events: so many rounds are a million of them. */
const MOST_ROUNDS = 100;

/** How far a replay has come: `at` is where it goes on. `stopped`: more is left. */
export interface ReplayProgress {
  replayed: number;
  at: string | null;
  stopped: boolean;
}

/**
 * Replays a range of events, call after call, and tells of each; ends early when the signal is aborted.
 * Throws what a call throws, after telling how far it came.
 */
export async function replayRange(
  range: Replay,
  signal: AbortSignal,
  tell: (progress: ReplayProgress) => void,
): Promise<ReplayProgress> {
  let progress: ReplayProgress = { replayed: 0, at: range.from, stopped: true };
  for (let round = 0; round < MOST_ROUNDS && !signal.aborted && progress.at !== null; round++) {
    const answer = await recollect.events.replay({ ...range, from: progress.at });
    const replayed = progress.replayed + answer.replayed;
    progress = { replayed, at: answer.next_from, stopped: answer.next_from !== null };
    tell(progress);
  }
  return progress;
}
