/**
 * When a bank is asked whether the funds are there, before the first order of an attempt. Neither the scheme nor the standard
 * wants it: an order for which they are lacking is refused, and counts against no limit.
 */
export const FUNDS_CHECKS = ['always', 'after_lack_of_funds', 'never'] as const;
export type FundsCheck = (typeof FUNDS_CHECKS)[number];
