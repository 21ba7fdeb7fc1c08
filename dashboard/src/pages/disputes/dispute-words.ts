import type { Dispute } from '@recollect/sdk';

/** Why a payment is disputed, as the merchant's team reads it. */
export const REASONS: Readonly<Record<Dispute['reason'], string>> = {
  unauthorised: 'They did not agree to it',
  after_withdrawal: 'Taken after they withdrew',
  wrong_amount: 'The amount is wrong',
  duplicate: 'Paid already',
  not_received: 'They did not get what they paid for',
  other: 'Something else',
};

/** How a dispute stands. */
export const STATUSES: Readonly<Record<Dispute['status'], string>> = {
  open: 'Open',
  refunded: 'Refunded',
  returned: 'Taken back by the bank',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
};

export const RAISED_BY: Readonly<Record<Dispute['raised_by'], string>> = {
  customer: 'The customer, on their page',
  merchant: 'Your team',
};
