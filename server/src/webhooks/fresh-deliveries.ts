import { ConcurrencyLimits } from '../platform/concurrency-limits.ts';
import type { Config } from '../platform/config.ts';
import type { FreshDelivery, Handing } from '../platform/events.ts';
import { HandedOn } from '../platform/handed-on.ts';

/** Limit on concurrent requests of this process to an endpoint. */
export const PER_ENDPOINT = 10;
/** Lease time beyond the time-out, for signing, waiting and recording. */
const LEASE_MARGIN_MS = 60_000;

/** Returns how long a claimed delivery is left to the process that claimed it. */
export const leaseOf = ({ webhookTimeoutMs }: Pick<Config, 'webhookTimeoutMs'>): number =>
  webhookTimeoutMs + LEASE_MARGIN_MS;

/**
 * What a process sends at once: its requests in progress, and its new deliveries to endpoints with room, which are inserted as
 * claimed and handed over when their event is committed. If the process crashes, they fall due with their lease.
 */
export class FreshDeliveries implements Handing {
  readonly lanes = new ConcurrencyLimits(PER_ENDPOINT);
  readonly claims: HandedOn<FreshDelivery>;

  constructor(config: Pick<Config, 'webhookTimeoutMs'>) {
    this.claims = new HandedOn(Temporal.Duration.from({ milliseconds: leaseOf(config) }));
  }

  room(endpointId: string): number {
    const waiting = this.claims.count((one) => one.endpoint_id === endpointId);
    return Math.max(0, this.lanes.room(endpointId) - waiting);
  }
}
