import { LARGEST_AMOUNT } from '../../platform/values/money.ts';
import { describeAmount } from '../terms/describe.ts';

/** A change of an amount by hundredths of a per cent, rounded half up to a multiple of so many pence. */
export interface Raise {
  basisPoints: number;
  roundToPence: number;
}

const WHOLE = 10_000;

/**
 * Returns an amount in pence changed by a raise. Exact: no product is larger than 10^8 × 2 × 10^4 × 2, which a double holds.
 * See docs/rules/schedules.md#per-cent-and-rounding.
 */
export function raised(pence: number, { basisPoints, roundToPence }: Raise): number {
  const exact = pence * (WHOLE + basisPoints);
  const unit = WHOLE * roundToPence;
  return Math.floor((2 * exact + unit) / (2 * unit)) * roundToPence;
}

/** Returns why an amount cannot be collected; null if it can. */
export function amountRefusal(pence: number): string | null {
  if (pence < 1) return `it would be ${describeAmount(pence)}, and a payment takes at least £0.01`;
  if (pence <= LARGEST_AMOUNT) return null;
  return `it would be ${describeAmount(pence)}, and a payment takes at most ${describeAmount(LARGEST_AMOUNT)}`;
}
