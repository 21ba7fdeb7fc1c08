import type { StoredControlParameters } from '../../consents/consent.ts';
import type { ControlParameters, PeriodicLimit } from './headroom.ts';

/** Converts control parameters to their stored form. */
export function toStored(params: ControlParameters): StoredControlParameters {
  return {
    validFrom: params.validFrom.toString(),
    validTo: params.validTo?.toString() ?? null,
    maximumAmountPence: params.maximumAmountPence,
    periodicLimits: params.periodicLimits,
  };
}

/** Converts stored control parameters back; null if nothing is stored yet. */
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
