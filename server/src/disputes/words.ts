import type { DisputeReason } from './dispute.ts';

/** Why a payment is disputed, as customers, merchants and papers read it. */
export const REASON_WORDS: Readonly<Record<DisputeReason, string>> = {
  unauthorised: 'I did not agree to this payment',
  after_withdrawal: 'It was taken after I withdrew my permission',
  wrong_amount: 'The amount is wrong',
  duplicate: 'I paid for this already',
  not_received: 'I did not get what I paid for',
  other: 'Something else',
};
