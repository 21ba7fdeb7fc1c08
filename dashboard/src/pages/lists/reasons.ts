const REASONS: Readonly<Record<string, string>> = {
  insufficient_funds: 'Not enough money',
  technical: 'Technical problem',
  account_closed: 'Account closed',
  invalid_account: 'Unknown account number',
  blocked: 'Blocked by the bank',
  rejected: 'Rejected by the bank',
  bank_limit: 'Above the bank’s limit',
  limit_exceeded: 'Above the customer’s limits',
  consent_revoked: 'Consent withdrawn',
  consent_expired: 'Consent expired',
  reauthentication_required: 'Customer must confirm again',
  creditor_account_unavailable: 'Receiving account unavailable',
  duplicate: 'Taken for a duplicate',
};

/** Failures that another attempt at the same account would only repeat. */
const OF_THE_ACCOUNT = new Set(['account_closed', 'invalid_account', 'blocked']);

/** Whether a failure is one of the account: the customer is asked for another one in place of a retry. */
export const isAccountReason = (code: string): boolean => OF_THE_ACCOUNT.has(code);

/** The reasons of failures to filter by, the most frequent first. */
export const REASON_OPTIONS = [
  { value: '', label: 'All reasons' },
  ...Object.entries(REASONS).map(([value, label]) => ({ value, label })),
  { value: 'unknown', label: 'No reason given' },
];

/** Returns a reason in a few words; undefined: a newer service knows it, and this page does not. */
export const reasonLabel = (reason: string): string | undefined =>
  REASON_OPTIONS.find(({ value }) => value === reason)?.label;
