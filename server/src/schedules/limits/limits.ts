import { LIMIT_PERIODS } from '../../banks/bank.ts';
import type { StoredControlParameters } from '../../consents/consent.ts';
import { describeAmount } from '../terms/describe.ts';
import { occurrence, type Series } from '../terms/occurrences.ts';
import type { AskedLimits } from '../terms/schedule.ts';
import { type ControlParameters, endOfDay, firstIndexFrom } from './headroom.ts';
import type { PeriodType } from './limit-window.ts';
import { limitPeriod, periodsWithin } from './tightest-limit.ts';

/** No limits were asked for: the consent allows what the terms need. */
export const AS_NEEDED: AskedLimits = { perPaymentPence: null, perPeriodPence: null };

/** The limits that a consent to a schedule's terms has, in pence. */
export interface Limits {
  perPaymentPence: number;
  perPeriodPence: number;
  periodType: PeriodType;
}

/** The part of a schedule's terms that its limits follow from. */
export interface LimitedTerms {
  amountPence: number;
  series: Series;
  limits?: AskedLimits;
}

/**
 * Returns the limits of a schedule: those that were asked for, raised to what the terms need. Without one per period, the period
 * has room for its own occurrences at the most that one payment may take. Where a bank does not take the tightest period, the
 * limit is that of the tightest which it takes (`taken`), and what was asked for counts for each of the tightest periods in it.
 * See docs/rules/schedules.md#limits.
 */
export function limitsOf(
  terms: LimitedTerms,
  first = 0,
  taken: readonly PeriodType[] = LIMIT_PERIODS,
): Limits {
  const { amountPence, series, limits = AS_NEEDED } = terms;
  const { periodType, collections } = limitPeriod(series, first, taken);
  const periods = periodsWithin(periodType, limitPeriod(series, first).periodType);
  const perPaymentPence = Math.max(amountPence, limits.perPaymentPence ?? 0);
  const perPeriodPence =
    limits.perPeriodPence === null
      ? perPaymentPence * collections
      : Math.max(limits.perPeriodPence * periods, amountPence * collections, perPaymentPence);
  return { perPaymentPence, perPeriodPence, periodType };
}

/**
 * Returns the control parameters that allow the occurrences of a schedule at or after `from`: its limits, of which the one per
 * period is aligned with the consent, so that periods run from the first of these occurrences. Unless the merchant or the
 * customer wants more, there is no more room than the occurrences need (for the one exception see `limitPeriod`). `validTo` is
 * the end of the merchant's day of `endAt`: an occurrence exactly at `endAt` is still collected, and reaches the bank slightly
 * later. Throws RangeError if no occurrence is left.
 */
export function controlParameters(
  terms: LimitedTerms,
  from: Temporal.Instant,
  taken?: readonly PeriodType[],
): ControlParameters {
  const { series } = terms;
  const first = firstIndexFrom(series, from);
  const validFrom = occurrence(series, first);
  if (validFrom === null) throw new RangeError(`No occurrence at or after ${from.toString()}`);
  const { perPaymentPence, perPeriodPence, periodType } = limitsOf(terms, first, taken);
  return {
    validFrom,
    validTo: series.endAt && endOfDay(series.endAt, series.timeZone),
    maximumAmountPence: perPaymentPence,
    periodicLimits: [{ periodType, alignment: 'Consent', amountPence: perPeriodPence }],
  };
}

/** Converts control parameters to their stored form. */
export function toStored(params: ControlParameters): StoredControlParameters {
  return {
    validFrom: params.validFrom.toString(),
    validTo: params.validTo?.toString() ?? null,
    maximumAmountPence: params.maximumAmountPence,
    periodicLimits: params.periodicLimits,
  };
}

/** Describes limits that were asked for, after the amount: ", at most £90.00 each and £120.00 per month"; empty if none were. */
export function describeAsked(terms: LimitedTerms): string {
  const { perPaymentPence, perPeriodPence } = terms.limits ?? AS_NEEDED;
  if (perPaymentPence === null && perPeriodPence === null) return '';
  const limits = limitsOf(terms);
  const [each, all] = [limits.perPaymentPence, limits.perPeriodPence].map((p) => describeAmount(p));
  return `, at most ${each} each and ${all} per ${limits.periodType.toLowerCase()}`;
}

const PERIOD_NAMES = {
  Day: 'day',
  Week: 'week',
  Fortnight: 'fortnight',
  Month: 'month',
  'Half-year': 'half_year',
  Year: 'year',
} as const satisfies Readonly<Record<PeriodType, string>>;

export type PeriodName = (typeof PERIOD_NAMES)[PeriodType];
export const PERIODS = Object.values(PERIOD_NAMES);

/** Returns a limit's period as the API writes it. */
export function periodName(periodType: PeriodType): PeriodName {
  return PERIOD_NAMES[periodType];
}

/** Returns the lowest limits that terms can have, in pence, where one payment may take this much. */
export function leastLimits(
  { amountPence, series }: LimitedTerms,
  perPaymentPence: number | null,
): { perPaymentPence: number; perPeriodPence: number } {
  const { collections } = limitPeriod(series, 0);
  const onePayment = perPaymentPence ?? amountPence;
  return {
    perPaymentPence: amountPence,
    perPeriodPence: Math.max(amountPence * collections, onePayment),
  };
}

/** Formats pence for the API's callers and for people: "5000 (£50.00)". */
export const penceAndPounds = (pence: number): string => `${pence} (${describeAmount(pence)})`;

/** Returns which of these limits are below what the terms need, by dotted path, and how much they need. */
export function limitErrors(terms: LimitedTerms, asked: AskedLimits): Record<string, string> {
  const errors: Record<string, string> = {};
  const { amountPence } = terms;
  const { perPaymentPence, perPeriodPence } = asked;
  if (perPaymentPence !== null && perPaymentPence < amountPence)
    errors['limits.per_payment.value'] =
      `must be at least ${penceAndPounds(amountPence)}: one payment takes as much`;
  const needed = leastLimits(terms, perPaymentPence).perPeriodPence;
  if (perPeriodPence !== null && perPeriodPence < needed) {
    const { periodType, collections } = limitPeriod(terms.series, 0);
    const why =
      needed === (perPaymentPence ?? amountPence)
        ? 'one payment may take as much'
        : `a ${periodType.toLowerCase()} needs room for ${collections} payments of ${describeAmount(amountPence)}`;
    errors['limits.per_period.value'] = `must be at least ${penceAndPounds(needed)}: ${why}`;
  }
  return errors;
}
