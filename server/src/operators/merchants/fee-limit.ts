/** What one operator may take of each collection alone: docs/rules/access.md#two-operators. Above it a second one agrees. */
export const FEES_ALONE = { fixedPence: 100, basisPoints: 500 } as const;

/** Whether such fees take two operators. */
export function needsTwoOperators(fees: { fixedPence: number; basisPoints: number }): boolean {
  return fees.fixedPence > FEES_ALONE.fixedPence || fees.basisPoints > FEES_ALONE.basisPoints;
}
