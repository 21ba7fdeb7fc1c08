import type { Tx } from '../platform/db/db.ts';
import type { AppendedEvent, DeliveryHandoff, FanOut } from '../platform/state/events.ts';
import type { Ids } from '../platform/values/ids.ts';
import { noteWithoutEndpoint } from './delivery-store.ts';
import { firstStatus, TEST_EVENT_KIND } from './endpoint.ts';
import { insertDeliveries, type NewDelivery } from './state-store.ts';
import { type LockedEndpoint, lockEndpoints } from './store.ts';

type Target = Pick<
  LockedEndpoint,
  'merchantId' | 'endpointId' | 'status' | 'eventKinds' | 'hasWaiting'
>;

function isSubscribed(endpoint: Target, event: AppendedEvent): boolean {
  if (event.kind === TEST_EVENT_KIND) return event.subjectId === endpoint.endpointId;
  return endpoint.eventKinds.includes(event.kind);
}

/** Returns one new delivery per event and subscribed endpoint, in event order. */
function deliveriesFor(
  at: Temporal.Instant,
  events: readonly AppendedEvent[],
  endpoints: readonly Target[],
  newId: () => string,
): NewDelivery[] {
  const ofMerchant = Map.groupBy(endpoints, (endpoint) => endpoint.merchantId);
  return events.flatMap((event) =>
    (ofMerchant.get(event.merchantId) ?? [])
      .filter((endpoint) => isSubscribed(endpoint, event))
      .map((endpoint) => {
        const status = firstStatus(endpoint.status);
        return {
          merchantId: event.merchantId,
          deliveryId: newId(),
          eventId: event.eventId,
          endpointId: endpoint.endpointId,
          status,
          dueAt: status === 'pending' ? at : null,
        };
      }),
  );
}

/**
 * Returns the deliveries that can be sent at once: the first ones to endpoints with room, to which none has to go before them.
 */
function sentAtOnce(
  deliveries: readonly NewDelivery[],
  endpoints: readonly Target[],
  handing: DeliveryHandoff,
): Set<NewDelivery> {
  const room = handing.rooms();
  const free = endpoints.filter((one) => one.status === 'enabled' && !one.hasWaiting);
  const ofEndpoint = Map.groupBy(deliveries, (delivery) => delivery.endpointId);
  return new Set(
    free.flatMap(({ endpointId: id }) => (ofEndpoint.get(id) ?? []).slice(0, room(id))),
  );
}

/** Hands deliveries over that were inserted with this lease. */
function handOffDeliveries(
  tx: Tx,
  at: Temporal.Instant,
  dueAt: Temporal.Instant,
  sent: ReadonlySet<NewDelivery>,
  { claims }: DeliveryHandoff,
): void {
  claims.handOver(tx, at, dueAt, [...sent]);
}

/**
 * Makes the function that creates the deliveries of appended events. It waits for a change of one of their endpoints that is
 * not committed yet, and holds up later ones until its own transaction ends.
 */
export function makeFanOut(ids: Pick<Ids, 'next'>): FanOut {
  return async (tx, at, events, handing) => {
    const merchants = [...new Set(events.map((event) => event.merchantId))];
    const endpoints = await lockEndpoints(tx, merchants, at);
    const deliveries = deliveriesFor(at, events, endpoints, () => ids.next('del', at));
    if (handing === undefined) await insertDeliveries(tx, at, deliveries);
    else {
      const sent = sentAtOnce(deliveries, endpoints, handing);
      const dueAt = handing.claims.dueAt(at);
      const leased = deliveries.map((one) => (sent.has(one) ? { ...one, dueAt } : one));
      await insertDeliveries(tx, at, leased);
      handOffDeliveries(tx, at, dueAt, sent, handing);
    }
    const wanted = new Set(deliveries.map((delivery) => delivery.eventId));
    const unwanted = events.filter((event) => !wanted.has(event.eventId));
    await noteWithoutEndpoint(tx, unwanted);
  };
}
