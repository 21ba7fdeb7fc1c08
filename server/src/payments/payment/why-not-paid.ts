const WHY_NOT_PAID: Readonly<Record<string, string>> = {
  insufficient_funds: 'There was not enough money in the account.',
  account_closed: 'The account is closed.',
  blocked: 'Your bank blocked the payment.',
  bank_limit: "The payment was above your bank's own limit.",
  limit_exceeded: 'The payment was above the limits you agreed to.',
  schedule_paused: 'Payments were paused.',
  schedule_cancelled: 'Payments were stopped.',
};

/** Says in the customer's words why a payment was not made. */
export function whyNotPaid(errorCode: string): string {
  return WHY_NOT_PAID[errorCode] ?? 'The payment did not go through.';
}
