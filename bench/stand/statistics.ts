/** Returns the median; of an even count the lower of the two in the middle, so that it is a measured value. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the value at or below which this share of the numbers lies (nearest rank). Throws if there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error('no values were measured');
  return value;
}

/** Rounds to `digits` significant digits: more would suggest false precision. */
export const significant = (value: number, digits = 3): number => Number(value.toPrecision(digits));
