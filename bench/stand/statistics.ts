/** The middle of some numbers; of an even count the lower of the two in the middle, so that it was really measured. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below or at which this share of the numbers lies (nearest rank). Throws where there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error('no values were measured');
  return value;
}

/** Rounded to so many significant digits: more would pretend. */
export const significant = (value: number, digits = 3): number => Number(value.toPrecision(digits));
