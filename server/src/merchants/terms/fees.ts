import { compareInstants, isAfter, isBefore } from '../../platform/values/instants.ts';
import { LARGEST_AMOUNT } from '../../platform/values/money.ts';

/** What the operator takes of each collection: docs/rules/settlements.md#fees. */
export interface FeeTerms {
  fixedPence: number;
  /** Hundredths of a percent of the amount. */
  basisPoints: number;
}

/** Terms, and from when on they apply. */
export interface DatedFeeTerms extends FeeTerms {
  from: Temporal.Instant;
}

const ONE = 10_000;
/** Changes are announced this long before they apply, so that no collection under way can miss one. */
const NOTICE = Temporal.Duration.from({ hours: 1 });
/** How long terms that were read may be used: less than the notice. */
const MAX_TERMS_AGE = Temporal.Duration.from({ minutes: 30 });
const TIME_ZONE = 'Europe/London';

/** Returns the fee of an amount, in pence: half a penny is rounded up, and the fee is never above the amount. */
export function feeOf({ fixedPence, basisPoints }: FeeTerms, amountPence: number): number {
  const share = Math.floor((amountPence * basisPoints + ONE / 2) / ONE);
  return Math.min(amountPence, fixedPence + share);
}

/** Returns the terms in force at a moment, of terms in any order; null: there are none. */
export function termsAt(
  terms: readonly DatedFeeTerms[],
  at: Temporal.Instant,
): DatedFeeTerms | null {
  const inForce = terms.filter(({ from }) => !isAfter(from, at));
  return inForce.sort((a, b) => compareInstants(b.from, a.from))[0] ?? null;
}

/** Returns the first terms that apply after a moment; null: no change is set. */
export function nextTerms(
  terms: readonly DatedFeeTerms[],
  after: Temporal.Instant,
): DatedFeeTerms | null {
  const toCome = terms.filter(({ from }) => isAfter(from, after));
  return toCome.sort((a, b) => compareInstants(a.from, b.from))[0] ?? null;
}

/** Whether terms read at `readAt` may lack a change that applies at `at`. */
export const isOutdated = (readAt: Temporal.Instant, at: Temporal.Instant): boolean =>
  isBefore(readAt.add(MAX_TERMS_AGE), at);

/** Returns when a day begins on which new terms may apply; without a day, the first one. Null: it is too early, or over. */
export function startOf(
  day: Temporal.PlainDate | null,
  now: Temporal.Instant,
): Temporal.Instant | null {
  const earliest = now.add(NOTICE);
  const first = earliest.toZonedDateTimeISO(TIME_ZONE).toPlainDate().add({ days: 1 });
  const from = (day ?? first).toZonedDateTime(TIME_ZONE).toInstant();
  return isBefore(from, earliest) ? null : from;
}

/** Returns what is wrong with terms, by field; empty if nothing is. */
export function feeErrors({ fixedPence, basisPoints }: FeeTerms): Record<string, string> {
  const isWithin = (value: number, most: number): boolean =>
    Number.isInteger(value) && value >= 0 && value <= most;
  return {
    ...(isWithin(fixedPence, LARGEST_AMOUNT)
      ? {}
      : { fixed_pence: `must be a whole number from 0 to ${LARGEST_AMOUNT}` }),
    ...(isWithin(basisPoints, ONE)
      ? {}
      : { basis_points: `must be a whole number from 0 to ${ONE}` }),
  };
}
