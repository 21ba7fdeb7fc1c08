import type { PaymentErrorCode } from './bank.ts';

/**
 * Why a payment failed, as merchants read it in payments, webhooks and the dashboard. The portal has its own texts for customers.
 */
export const FAILURE_MESSAGES: Readonly<Record<PaymentErrorCode, string>> = {
  insufficient_funds: 'There was not enough money in the customer’s account.',
  account_closed: 'The customer’s account is closed.',
  invalid_account: 'The bank does not recognise the account number.',
  blocked: 'The bank blocked the payment.',
  bank_limit: 'The payment was above a limit set by the bank.',
  limit_exceeded: 'The payment was above the limits the customer agreed to.',
  consent_revoked: 'The consent is no longer in force.',
  consent_expired: 'The consent has expired.',
  reauthentication_required: 'The bank needs the customer to confirm the consent again.',
  creditor_account_unavailable: 'The receiving account did not accept the payment.',
  duplicate: 'The bank treated this payment as a duplicate of another.',
  technical: 'The bank could not process the payment because of a technical problem.',
  rejected: 'The bank rejected the payment.',
};
