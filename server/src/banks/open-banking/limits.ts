import { fromDecimal } from '../../platform/values/money.ts';
import { type BankLimits, BankUnavailable, type PeriodicLimit } from '../bank.ts';
import type { ReportedControlParameters } from './bodies.ts';

const PERIODS = new Set(['Day', 'Week', 'Fortnight', 'Month', 'Half-year', 'Year']);

/**
 * Reads the limits that a bank applies to a consent; null if it reports none. Throws `BankUnavailable` for unreadable limits:
 * such a response proves nothing.
 */
export function reportedLimits(reported: ReportedControlParameters | undefined): BankLimits | null {
  if (reported === undefined) return null;
  const { ValidFromDateTime, ValidToDateTime, MaximumIndividualAmount, PeriodicLimits } = reported;
  try {
    return {
      ...(ValidFromDateTime && { validFrom: Temporal.Instant.from(ValidFromDateTime) }),
      ...(ValidToDateTime && { validTo: Temporal.Instant.from(ValidToDateTime) }),
      ...(MaximumIndividualAmount && { maximumAmountPence: pence(MaximumIndividualAmount) }),
      // An empty list means that the bank does not report them, not that there is no limit.
      ...(PeriodicLimits?.length && { periodicLimits: PeriodicLimits.map(periodicLimit) }),
    };
  } catch (cause) {
    throw new BankUnavailable("the bank's limits of a consent cannot be read", { cause });
  }
}

function periodicLimit(
  reported: NonNullable<ReportedControlParameters['PeriodicLimits']>[number],
): PeriodicLimit {
  const { PeriodType: periodType, PeriodAlignment: alignment } = reported;
  if (!PERIODS.has(periodType)) throw new RangeError(`no such period: ${periodType}`);
  if (alignment !== 'Consent' && alignment !== 'Calendar')
    throw new RangeError(`no such alignment: ${alignment}`);
  if (periodType === 'Fortnight' && alignment === 'Calendar')
    throw new RangeError('a fortnight has no Calendar alignment');
  return { periodType, alignment, amountPence: pence(reported) };
}

function pence({ Amount, Currency }: { Amount: string; Currency: string }): number {
  if (Currency !== 'GBP') throw new RangeError(`not in pounds: ${Currency}`);
  return fromDecimal(Amount);
}
