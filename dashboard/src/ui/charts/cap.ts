/** A bar so much taller than the next one would flatten all others. */
const OUTLIER = 4;
/** More than this many tall bars are no outliers. */
const MAX_OUTLIERS = 3;

/**
 * Returns where the axis of a chart ends so that a few bars which tower above the others do not flatten them: half as much again
 * as the tallest of the others. Null: every bar fits as it is.
 */
export function capOf(heights: readonly number[]): number | null {
  const tallest = heights.toSorted((a, b) => b - a);
  for (let towering = 1; towering <= MAX_OUTLIERS; towering++) {
    const [above = 0, below = 0] = tallest.slice(towering - 1, towering + 1);
    if (below > 0 && above > OUTLIER * below) return Math.ceil(below * 1.5);
  }
  return null;
}

/** Returns the parts of a stacked bar, from the bottom, cut where the axis ends. */
export function cutAt(parts: readonly number[], cap: number | null): number[] {
  let below = 0;
  return parts.map((part) => {
    const cut = cap === null ? part : Math.max(0, Math.min(part, cap - below));
    below += part;
    return cut;
  });
}
