/**
 * Why a consent, a payment, a refund or a settlement failed: the codes of today, which the document names. A bank, an issuer or
 * a newer version may report others, so no reader may rely on the list being whole.
 */
export const FAILURE_CODES = [
  // payments
  'insufficient_funds',
  'account_closed',
  'invalid_account',
  'blocked',
  'bank_limit',
  'limit_exceeded',
  'reauthentication_required',
  'creditor_account_unavailable',
  'duplicate',
  'technical',
  'rejected',
  'schedule_paused',
  'schedule_cancelled',
  'paid_by_hand',
  // set-up
  'consent_denied',
  'consent_rejected',
  'consent_account_mismatch',
  // payments too
  'consent_expired',
  'consent_revoked',
  // refunds and settlements
  'insufficient_balance',
  'payer_unknown',
  'payment_returned',
  'dispute_closed',
  'refund_returned',
  'payout_returned',
  'amount_differs',
  'given_up',
] as const;
