import type { UnroutedEvent } from './delivery-store.ts';
import { firstStatus, TEST_EVENT_KIND } from './endpoint.ts';
import type { NewDelivery } from './state-store.ts';
import type { EndpointRow } from './store.ts';

type Target = Pick<EndpointRow, 'merchant_id' | 'endpoint_id' | 'status' | 'event_kinds'>;

function wants(endpoint: Target, event: UnroutedEvent): boolean {
  if (event.kind === TEST_EVENT_KIND) return event.subject_id === endpoint.endpoint_id;
  return endpoint.event_kinds.includes(event.kind);
}

/** Creates one delivery per event and subscribed endpoint, in event order. */
export function fanOut(
  events: readonly UnroutedEvent[],
  endpoints: readonly Target[],
  newId: () => string,
): NewDelivery[] {
  const ofMerchant = Map.groupBy(endpoints, (endpoint) => endpoint.merchant_id);
  return events.flatMap((event) =>
    (ofMerchant.get(event.merchant_id) ?? [])
      .filter((endpoint) => wants(endpoint, event))
      .map((endpoint) => {
        const status = firstStatus(endpoint.status);
        return {
          merchantId: event.merchant_id,
          deliveryId: newId(),
          eventId: event.event_id,
          endpointId: endpoint.endpoint_id,
          status,
          dueAt: status === 'pending' ? event.created_at : null,
        };
      }),
  );
}
