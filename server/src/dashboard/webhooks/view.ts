import Type, { type Static } from 'typebox';
import { Instant, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';

const Count = Type.Integer({ minimum: 0 });

/** How an endpoint has answered lately, of the newest events. */
export const EndpointHealth = Type.Object({
  attempts: { ...Count, description: 'Requests that were sent to it.' },
  acknowledged: { ...Count, description: 'Those that it acknowledged.' },
  last_acknowledged_at: OrNull(Instant),
  median_ms: OrNull(Count, 'How long its acknowledgements of a first attempt took.'),
});
export type EndpointHealth = Static<typeof EndpointHealth>;

const RecentDelivery = Type.Object({
  event_id: Type.String(),
  kind: Type.String(),
  at: Instant,
  status: OneOf(['pending', 'delivered', 'failed', 'held']),
  attempts: Count,
  error: OrNull(Type.String(), 'Why the last attempt did not count.'),
});

/** How an endpoint has answered lately, and what was sent to it last. */
export const EndpointActivity = Type.Object({
  health: EndpointHealth,
  deliveries: Type.Array(RecentDelivery, { description: 'The newest first.' }),
});
export type EndpointActivity = Static<typeof EndpointActivity>;
export type RecentDelivery = Static<typeof RecentDelivery>;
