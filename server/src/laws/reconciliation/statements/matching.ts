import type { Claim } from './claims.ts';

/** A line of a statement, and the claims that it may prove: the first tier before the second. */
export interface Candidate<T> {
  item: T;
  pence: number;
  tiers: readonly (readonly Claim[])[];
}

/** A line that proves no claim of its amount. */
export interface Unproven<T> {
  item: T;
  /** The claim that it proves with another amount, or that another line has proven; null: our books have none. */
  claim: Claim | null;
  /** Whether another line has proven the claim. */
  isSecond: boolean;
}

/**
 * Proves claims by lines of the same amount: each line proves one claim, and no claim is proven twice. The keys of proven
 * claims are added to `used`. Returns what matched, and the lines that are left.
 */
export function matchExactly<T>(
  candidates: readonly Candidate<T>[],
  used: Set<string>,
): { matched: { item: T; claim: Claim }[]; left: Candidate<T>[] } {
  const matched: { item: T; claim: Claim }[] = [];
  let left = [...candidates];
  for (let tier = 0; left.some(({ tiers }) => tier < tiers.length); tier += 1)
    left = left.filter(({ item, pence, tiers }) => {
      const claim = tiers[tier]?.find((one) => one.pence === pence && !used.has(one.key));
      if (claim === undefined) return true;
      used.add(claim.key);
      matched.push({ item, claim });
      return false;
    });
  return { matched, left };
}

/**
 * Explains the lines that `matchExactly` left, after all lines have been through it: the first line of another amount proves a
 * claim that no line has proven, and what remains is one line too many.
 */
export function explainLeft<T>(left: readonly Candidate<T>[], used: Set<string>): Unproven<T>[] {
  return left.map(({ item, tiers }) => {
    const claims = tiers.flat();
    const claim = claims.find((one) => !used.has(one.key));
    if (claim === undefined) return { item, claim: claims[0] ?? null, isSecond: claims.length > 0 };
    used.add(claim.key);
    return { item, claim, isSecond: false };
  });
}
