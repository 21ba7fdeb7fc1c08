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
  firstPence?: number | null;
}

/** Returns the most that one occurrence of a schedule takes, in pence; a first payment may be more. */
export function mostOfOne({ amountPence, limits = AS_NEEDED }: LimitedTerms): number {
  return Math.max(amountPence, limits.perPaymentPence ?? 0);
}

/** Returns what each occurrence needs of a period's limit, in pence: the most that one takes, unless a limit was asked for. */
export function eachInPeriod(terms: LimitedTerms): number {
  return (terms.limits?.perPeriodPence ?? null) === null ? mostOfOne(terms) : terms.amountPence;
}

/**
 * Returns the limits of a schedule: those that were asked for, raised to what the terms need. Without one per period, the period
 * has room for its own occurrences at the most that one payment may take. Where a bank does not take the tightest period, the
 * limit is that of the tightest which it takes (`taken`), and what was asked for counts for each of the tightest periods in it.
 * A first payment has room beside the occurrences of its period. See docs/rules/schedules.md#limits.
 */
export function limitsOf(
  terms: LimitedTerms,
  first = 0,
  taken: readonly PeriodType[] = LIMIT_PERIODS,
): Limits {
  const { amountPence, series, limits = AS_NEEDED, firstPence = null } = terms;
  const { periodType, collections, own } = limitPeriod(series, first, taken);
  const periods = periodsWithin(periodType, limitPeriod(series, first).periodType);
  const most = mostOfOne(terms);
  const perPeriodPence =
    limits.perPeriodPence === null
      ? most * collections
      : Math.max(limits.perPeriodPence * periods, amountPence * collections, most);
  if (firstPence === null) return { perPaymentPence: most, perPeriodPence, periodType };
  const withFirst = firstPence + eachInPeriod(terms) * own;
  return {
    perPaymentPence: Math.max(most, firstPence),
    perPeriodPence: Math.max(perPeriodPence, withFirst),
    periodType,
  };
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
  { amountPence, series, firstPence }: LimitedTerms,
  perPaymentPence: number | null,
): { perPaymentPence: number; perPeriodPence: number } {
  const { collections, own } = limitPeriod(series, 0);
  const onePayment = perPaymentPence ?? amountPence;
  const withFirst = firstPence ? firstPence + amountPence * own : 0;
  return {
    perPaymentPence: Math.max(amountPence, firstPence ?? 0),
    perPeriodPence: Math.max(amountPence * collections, onePayment, withFirst),
  };
}

/** Formats pence for the API's callers and for people: "5000 (£50.00)". */
export const penceAndPounds = (pence: number): string => `${pence} (${describeAmount(pence)})`;

/** Returns which of these limits are below what the terms need, by dotted path, and how much they need. */
export function limitErrors(terms: LimitedTerms, asked: AskedLimits): Record<string, string> {
  const errors: Record<string, string> = {};
  const { perPaymentPence, perPeriodPence } = asked;
  const needed = leastLimits(terms, perPaymentPence);
  if (perPaymentPence !== null && perPaymentPence < needed.perPaymentPence) {
    const which = needed.perPaymentPence > terms.amountPence ? 'the first payment' : 'one payment';
    errors['limits.per_payment.value'] =
      `must be at least ${penceAndPounds(needed.perPaymentPence)}: ${which} takes as much`;
  }
  if (perPeriodPence !== null && perPeriodPence < needed.perPeriodPence)
    errors['limits.per_period.value'] =
      `must be at least ${penceAndPounds(needed.perPeriodPence)}: ${whyPerPeriod(terms, perPaymentPence)}`;
  return errors;
}

/** Says why a period needs as much room as it does. */
function whyPerPeriod(terms: LimitedTerms, perPaymentPence: number | null): string {
  const { amountPence, series, firstPence } = terms;
  const { periodType, collections, own } = limitPeriod(series, 0);
  const needed = leastLimits(terms, perPaymentPence).perPeriodPence;
  if (needed === (perPaymentPence ?? amountPence)) return 'one payment may take as much';
  const needs = `a ${periodType.toLowerCase()} needs room for`;
  const payments = (count: number): string =>
    `${count} ${count === 1 ? 'payment' : 'payments'} of ${describeAmount(amountPence)}`;
  return firstPence && needed === firstPence + amountPence * own
    ? `${needs} the first payment and ${payments(own)}`
    : `${needs} ${payments(collections)}`;
}
