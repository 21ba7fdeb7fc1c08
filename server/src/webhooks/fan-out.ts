import type { AppendedEvent, FanOut } from '../platform/events.ts';
import type { Ids } from '../platform/ids.ts';
import { noteWithoutEndpoint } from './delivery-store.ts';
import { firstStatus, TEST_EVENT_KIND } from './endpoint.ts';
import { insertDeliveries, type NewDelivery } from './state-store.ts';
import { type EndpointRow, holdEndpoints } from './store.ts';

type Target = Pick<EndpointRow, 'merchant_id' | 'endpoint_id' | 'status' | 'event_kinds'>;

function wants(endpoint: Target, event: AppendedEvent): boolean {
  if (event.kind === TEST_EVENT_KIND) return event.subjectId === endpoint.endpoint_id;
  return endpoint.event_kinds.includes(event.kind);
}

/** Returns one new delivery per event and subscribed endpoint, in event order. */
function deliveriesFor(
  at: Temporal.Instant,
  events: readonly AppendedEvent[],
  endpoints: readonly Target[],
  newId: () => string,
): NewDelivery[] {
  const ofMerchant = Map.groupBy(endpoints, (endpoint) => endpoint.merchant_id);
  return events.flatMap((event) =>
    (ofMerchant.get(event.merchantId) ?? [])
      .filter((endpoint) => wants(endpoint, event))
      .map((endpoint) => {
        const status = firstStatus(endpoint.status);
        return {
          merchantId: event.merchantId,
          deliveryId: newId(),
          eventId: event.eventId,
          endpointId: endpoint.endpoint_id,
          status,
          dueAt: status === 'pending' ? at : null,
        };
      }),
  );
}

/**
 * Makes the function that creates the deliveries of appended events. It waits for a change of one of their endpoints that is
 * not committed yet, and holds up later ones until its own transaction ends.
 */
export function makeFanOut(ids: Pick<Ids, 'next'>): FanOut {
  return async (tx, at, events) => {
    const merchants = [...new Set(events.map((event) => event.merchantId))];
    const endpoints = await holdEndpoints(tx, merchants);
    const deliveries = deliveriesFor(at, events, endpoints, () => ids.next('del', at));
    await insertDeliveries(tx, at, deliveries);
    const wanted = new Set(deliveries.map((delivery) => delivery.eventId));
    const unwanted = events.filter((event) => !wanted.has(event.eventId));
    await noteWithoutEndpoint(tx, unwanted);
  };
}
