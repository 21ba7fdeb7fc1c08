import type { IssuerLimits } from '../issuer-limits.ts';

/** How far back payments and transactions are told: six months. */
const HISTORY = Temporal.Duration.from({ hours: 24 * 180 });

/**
 * Returns what Modulr does and allows; what its document leaves open is stated as the stricter value. `requests`: our share of
 * its 8,000 requests in ten minutes.
 */
export function modulrLimits(requests: number): IssuerLimits {
  return {
    keyLifetime: Temporal.Duration.from({ hours: 48 }),
    lookUp: {
      byKey: HISTORY,
      byReference: HISTORY,
      visibleWithin: Temporal.Duration.from({ minutes: 1 }),
    },
    transfersPerCall: 100,
    rate: { requests, per: Temporal.Duration.from({ minutes: 10 }) },
    transfersMayBePending: true,
    payIns: { carryEndToEndId: false, carryPayer: true },
    wallets: { reservedFirst: false, accountAtOnce: false },
    checksPayees: true,
    eventIdsAreStable: false,
  };
}
