/** The steps to which a suggested limit is rounded, each for amounts up to ten times as much: 50p up to £5, £5 up to £50. */
const SMALLEST_STEP = 50;
/** A suggested limit leaves room for rises of a fifth. */
const ROOM = 1.2;
const LARGEST_AMOUNT = 100_000_000;

/** Suggests a limit for one payment, in pence, that leaves room for a price change: £45.00 for £34.99. */
export function suggestedLimit(pence: number): number {
  let step = SMALLEST_STEP;
  while (step * 10 < pence) step *= 10;
  return Math.max(pence, Math.min(Math.ceil((pence * ROOM) / step) * step, LARGEST_AMOUNT));
}
