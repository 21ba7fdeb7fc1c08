import type { Config } from '../platform/config/config.ts';
import { LeaseHandoff } from '../platform/engine/lease-handoff.ts';
import { ConcurrencyLimits } from '../platform/network/concurrency-limits.ts';
import type { DeliveryHandoff, FreshDelivery } from '../platform/state/events.ts';
import type { Answer } from './sender.ts';

/** Limit on concurrent requests of this process to an endpoint. */
export const PER_ENDPOINT = 10;
/** How many deliveries of an endpoint a process takes at most: in progress, and waiting for those. */
const MAX_CLAIMED = 250;
/** Behind its requests in progress an endpoint has as many deliveries waiting as it acknowledges in this time. */
const WAIT_MS = 2_000;
/** Of how many endpoints the pace is remembered: more than have requests in progress at one time. */
const MAX_PACES = 1_000;
/** Lease time beyond the time-out, for waiting, signing and recording. */
const LEASE_MARGIN_MS = 60_000;

/** Returns how long a claimed delivery is left to the process that claimed it. */
export const leaseOf = ({ webhookTimeoutMs }: Pick<Config, 'webhookTimeoutMs'>): number =>
  webhookTimeoutMs + LEASE_MARGIN_MS;

/**
 * What a process sends at once: its requests in progress, and its new deliveries to endpoints with room, which are inserted as
 * claimed and handed over when their event is committed. If the process crashes, they fall due with their lease.
 */
export class FreshDeliveries implements DeliveryHandoff {
  readonly lanes = new ConcurrencyLimits(PER_ENDPOINT);
  readonly claims: LeaseHandoff<FreshDelivery>;
  /** How many deliveries are taken for an endpoint, as quick as its latest answer was; others have their slots alone. */
  readonly #most = new Map<string, number>();

  constructor(config: Pick<Config, 'webhookTimeoutMs'>) {
    this.claims = new LeaseHandoff(Temporal.Duration.from({ milliseconds: leaseOf(config) }));
  }

  /** Learns from an answer how quick an endpoint is. */
  answered(endpointId: string, { error, durationMs }: Answer): void {
    const most = Math.floor((PER_ENDPOINT * WAIT_MS) / Math.max(1, durationMs));
    this.#most.delete(endpointId); // the latest comes last
    if (error !== null || most <= PER_ENDPOINT) return;
    const [oldest] = this.#most.keys();
    if (this.#most.size >= MAX_PACES && oldest !== undefined) this.#most.delete(oldest);
    this.#most.set(endpointId, Math.min(most, MAX_CLAIMED));
  }

  /** Returns how many deliveries this process takes for an endpoint, in progress or waiting. */
  readonly most = (endpointId: string): number => this.#most.get(endpointId) ?? PER_ENDPOINT;

  /** Returns how many more deliveries may be taken for each endpoint of which that is known; for any other, its slots. */
  knownRooms(): { endpointId: string; room: number }[] {
    const known = new Set([
      ...this.lanes.counts().map(([endpointId]) => endpointId),
      ...this.#most.keys(),
    ]);
    return [...known].map((endpointId) => ({
      endpointId,
      room: this.lanes.room(endpointId, this.most(endpointId)),
    }));
  }

  rooms(): (endpointId: string) => number {
    const handed = this.claims.countBy((one) => one.endpointId);
    return (endpointId) => {
      const most = this.most(endpointId) - (handed.get(endpointId) ?? 0);
      return this.lanes.room(endpointId, most);
    };
  }
}
