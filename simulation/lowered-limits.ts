import type { ConsentRequest } from '../server/src/banks/bank.ts';

type Limits = ConsentRequest['controlParameters'];

const lower = (pence: number): number => Math.max(1, Math.floor(pence * 0.7));

/** Returns the limits as a customer lowers them at the bank. */
export const loweredLimits = (limits: Limits): Limits => ({
  ...limits,
  maximumAmountPence: lower(limits.maximumAmountPence),
  periodicLimits: limits.periodicLimits.map((limit) => ({
    ...limit,
    amountPence: lower(limit.amountPence),
  })),
});
