import type { Tx } from '../platform/db/db.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import { archivedBefore } from '../platform/retention/archived-store.ts';
import { appendEvents, type DataOf } from '../platform/state/events.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { ApiError, notFound } from '../platform/values/errors.ts';
import { timeOfId } from '../platform/values/ids.ts';
import { isBefore } from '../platform/values/instants.ts';
import { TEST_EVENT_KIND } from './endpoint.ts';
import { deliveriesOf, eventsToReplay, findEvent, type Range } from './event-store.ts';
import type { TEST_EVENT } from './reference.ts';
import { requeue } from './state-store.ts';
import { type EndpointRow, lockEndpoints } from './store.ts';

/** The maximum number of events per replay call. */
export const MAX_REPLAYED = 10_000;

function notEnabled(sentence: string): ApiError {
  return new ApiError('endpoint_not_enabled', sentence);
}

/** Returns the error for an event that is not there: one of long ago may be in the archive. */
export async function noEvent(tx: Tx, eventId: string): Promise<ApiError> {
  const archived = await archivedBefore(tx);
  const isOld =
    archived !== null && EVENT_ID.test(eventId) && isBefore(timeOfId(eventId), archived);
  if (!isOld) return notFound('event');
  return new ApiError(
    'not_found',
    `No such event. Events from before ${formatInstant(archived)} may be in the archive: ask your provider.`,
  );
}

const EVENT_ID = /^evt_[0-9A-Za-z]{22}$/;

/**
 * Returns the merchant's endpoint, locked against a change of status until the transaction ends. Throws unless it is enabled.
 */
async function enabledEndpoint({ tx, now, merchantId }: Asked, id: string): Promise<EndpointRow> {
  const found = (await lockEndpoints(tx, [merchantId], now)).find((e) => e.endpointId === id);
  if (found === undefined) throw notFound('webhook endpoint');
  if (found.status !== 'enabled')
    throw notEnabled('The webhook endpoint is disabled: enable it first.');
  return found;
}

/**
 * Returns the endpoints to which an event is resent: every enabled one that had a delivery of it, or subscribes to its kind
 * now.
 */
async function endpointsFor(
  { tx, now, merchantId }: Asked,
  event: { eventId: string; kind: string },
): Promise<string[]> {
  const endpoints = await lockEndpoints(tx, [merchantId], now);
  const before = await deliveriesOf(tx, merchantId, [event.eventId]);
  const known = new Set(before.map((delivery) => delivery.endpointId));
  const chosen = endpoints
    .filter((e) => e.status === 'enabled')
    .filter((e) => known.has(e.endpointId) || e.eventKinds.includes(event.kind))
    .map((e) => e.endpointId);
  if (chosen.length === 0) throw notEnabled('No enabled webhook endpoint gets this event.');
  return chosen;
}

/**
 * Sends an event again, to one endpoint or to all that should get it: the same event under the same id, a new attempt, a new
 * retry ladder. Throws `not_found`, `endpoint_not_enabled`.
 */
export async function resendEvent(
  { ids }: Platform,
  asked: Asked,
  eventId: string,
  endpointId: string | undefined,
): Promise<void> {
  const { tx, now, merchantId } = asked;
  const event = await findEvent(tx, merchantId, eventId);
  if (event === null) throw await noEvent(tx, eventId);
  const endpoints =
    endpointId === undefined
      ? await endpointsFor(asked, event)
      : [(await enabledEndpoint(asked, endpointId)).endpointId];
  const deliveries = endpoints.map((id) => ({
    deliveryId: ids.next('del', now),
    eventId,
    endpointId: id,
  }));
  await requeue(tx, merchantId, now, deliveries);
}

/** How many events are being resent, and when the first one beyond the limit of one call occurred. */
export interface Replayed {
  replayed: number;
  nextFrom: Temporal.Instant | null;
}

/**
 * Sends a range of events to one endpoint: those that it missed, that failed or that were held; with `onlyUndelivered: false`
 * also the acknowledged ones. Throws `not_found`, `endpoint_not_enabled`.
 */
export async function replayEvents(
  { ids }: Platform,
  asked: Asked,
  range: Omit<Range, 'eventKinds'>,
): Promise<Replayed> {
  const { tx, now, merchantId } = asked;
  const { endpointId } = range;
  const endpoint = await enabledEndpoint(asked, endpointId);
  const wanted = { ...range, eventKinds: endpoint.eventKinds };
  const found = await eventsToReplay(tx, merchantId, wanted, MAX_REPLAYED + 1);
  const events = found.slice(0, MAX_REPLAYED);
  const deliveries = events.map((event) => ({
    deliveryId: ids.next('del', now),
    eventId: event.eventId,
    endpointId,
  }));
  await requeue(tx, merchantId, now, deliveries);
  return { replayed: events.length, nextFrom: found[MAX_REPLAYED]?.createdAt ?? null };
}

/** Sends an `endpoint.test` event to this endpoint only; returns the event's id. Throws as `resendEvent` does. */
export async function sendTestEvent(
  platform: Platform,
  asked: Asked,
  endpointId: string,
): Promise<string> {
  const { tx, now, merchantId } = asked;
  const endpoint = await enabledEndpoint(asked, endpointId);
  const event = {
    merchantId,
    kind: TEST_EVENT_KIND,
    scheduleId: null,
    subjectId: endpointId,
    data: {
      endpoint_id: endpointId,
      url: endpoint.url,
      message: 'This is a test.',
    } satisfies DataOf<typeof TEST_EVENT, typeof TEST_EVENT_KIND>,
  };
  const [eventId = ''] = await appendEvents({ platform, tx, now }, [event]);
  return eventId;
}
