import type { StoredControlParameters } from '../consents/consent.ts';
import type { ControlParameters, PeriodicLimit } from './headroom.ts';

/** Control parameters as the consent's row keeps them. */
export function toStored(params: ControlParameters): StoredControlParameters {
  return {
    validFrom: params.validFrom.toString(),
    validTo: params.validTo?.toString() ?? null,
    maximumAmountPence: params.maximumAmountPence,
    periodicLimits: params.periodicLimits,
  };
}

/** The other way round; null where nothing is stored yet. */
export function toControlParameters(
  stored: StoredControlParameters | null,
): ControlParameters | null {
  if (stored === null) return null;
  return {
    validFrom: Temporal.Instant.from(stored.validFrom),
    validTo: stored.validTo === null ? null : Temporal.Instant.from(stored.validTo),
    maximumAmountPence: stored.maximumAmountPence,
    periodicLimits: stored.periodicLimits as PeriodicLimit[],
  };
}
