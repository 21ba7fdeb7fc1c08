import type { BankLimits, PeriodicLimit } from '../banks/bank.ts';
import type { StoredControlParameters } from './consent.ts';

/**
 * Returns the stored limits updated with those that the bank reported; null if nothing differs. A limit that the bank does not
 * report is unchanged. Banks keep times to the second.
 */
export function changedLimits(
  stored: StoredControlParameters,
  reported: BankLimits | null,
): StoredControlParameters | null {
  if (reported === null) return null;
  const { validFrom, validTo, maximumAmountPence, periodicLimits } = reported;
  const after: StoredControlParameters = {
    validFrom: sameSecond(stored.validFrom, validFrom) ?? stored.validFrom,
    validTo: sameSecond(stored.validTo, validTo) ?? stored.validTo,
    maximumAmountPence: maximumAmountPence ?? stored.maximumAmountPence,
    periodicLimits:
      periodicLimits === undefined || areEqual(periodicLimits, stored.periodicLimits)
        ? stored.periodicLimits
        : periodicLimits,
  };
  return JSON.stringify(after) === JSON.stringify({ ...after, ...stored }) ? null : after;
}

/** Returns the reported instant, or the stored one if it is the same second; undefined if none was reported. */
function sameSecond(
  stored: string | null,
  reported: Temporal.Instant | undefined,
): string | undefined {
  if (reported === undefined) return undefined;
  if (stored === null) return reported.toString();
  const second = (at: Temporal.Instant): number => Math.floor(at.epochMilliseconds / 1000);
  const isSame = second(Temporal.Instant.from(stored)) === second(reported);
  return isSame ? stored : reported.toString();
}

function areEqual(a: readonly PeriodicLimit[], b: readonly PeriodicLimit[]): boolean {
  const words = (limits: readonly PeriodicLimit[]): string =>
    limits
      .map((limit) => `${limit.periodType} ${limit.alignment} ${limit.amountPence}`)
      .sort()
      .join(', ');
  return words(a) === words(b);
}
