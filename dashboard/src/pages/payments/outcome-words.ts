import type { Attempt, NoRetryReason, NotSentReason, Payment } from '@recollect/sdk';
import type { LedgerEntry } from '../../../../server/src/dashboard/payments/view.ts';

/** An attempt in the merchant's words. */
export interface Outcome {
  tone: 'success' | 'danger' | 'info';
  title: string;
  detail: string;
}

/** Describes the outcome of an attempt. `notSent`: of its payment; what explains it is shown in place of the detail. */
export function outcomeOf(attempt: Attempt, notSent: Payment['not_sent']): Outcome {
  if (attempt.status === 'processing' && notSent !== null) {
    const title = notSent.reason === 'being_sent' ? 'Being sent' : 'Not sent yet';
    return { tone: 'info', title, detail: '' };
  }
  if (attempt.status === 'success')
    return { tone: 'success', title: 'Collected', detail: 'The customer’s bank has paid.' };
  if (attempt.status === 'processing')
    return {
      tone: 'info',
      title: 'With the bank',
      detail: 'The outcome will appear here.',
    };
  const detail = attempt.error?.message ?? 'The bank gave no reason.';
  return { tone: 'danger', title: 'Failed', detail };
}

const WHY_NOT_SENT: Readonly<Record<NotSentReason, (bank: string) => string>> = {
  bank_down: (bank) => `${bank} is not responding.`,
  bank_degraded: (bank) => `${bank} is having problems.`,
  bank_stopped: (bank) =>
    `Your payment provider has paused payments at ${bank}. It is sent once they go on.`,
  merchant_suspended: () => 'Your account is suspended. It is sent once the suspension ends.',
  consent_in_doubt: (bank) => `${bank} says that the consent is over. We are checking that.`,
  reauthentication_needed: (bank) => `The customer has to confirm the consent at ${bank} first.`,
  retrying: () => 'The last attempt did not go through.',
  being_sent: () => 'We are sending the order now.',
};

/** Says why nothing was sent to the bank yet. */
export function notSentWords(reason: NotSentReason, bankName: string): string {
  return WHY_NOT_SENT[reason](bankName);
}

const NO_RETRY: Readonly<Record<NoRetryReason, string>> = {
  final: 'No retry: another attempt would fail for the same reason.',
  max_retries: 'No retry: all retries have been used.',
  next_occurrence: 'No retry: the next collection is due first.',
  end_date: 'No retry: the consent ends first.',
  limits: 'No retry: it would not fit within the customer’s limits alongside upcoming collections.',
  by_hand: 'No automatic retry, because this was a manual attempt.',
  stopped: 'No retry: collections were stopped.',
};

/** Says why no retry follows. */
export function noRetryWords(reason: NoRetryReason): string {
  return NO_RETRY[reason];
}

const LEDGER_KINDS: Readonly<Record<LedgerEntry['kind'], string>> = {
  pay_in: 'Paid in',
  move: 'Transferred to your wallet',
  settle: 'Reserved for settlement',
  settle_back: 'Returned to your wallet',
  pay_out: 'Paid out',
  extra_pay_in: 'Overpaid',
  pay_out_return: 'Pay-out returned',
  recall: 'Recalled by the payer’s bank',
  net: 'Reserved for a recalled collection',
  cover: 'Recalled collection covered',
  refund: 'Reserved for a refund',
  refund_back: 'Refund returned to your wallet',
  refund_out: 'Refunded',
  fee: 'Fee',
  fee_out: 'Fees transferred to the operator',
  claim: 'Bank reported the payment as made',
  claim_back: 'Bank’s report reversed',
  allocate: 'Unallocated money applied to this payment',
  give_back: 'Unallocated money returned',
  set_aside: 'Set aside as unallocated money',
};

const ACCOUNT_KINDS: Readonly<Record<string, string>> = {
  customer_wallet: 'Customer’s wallet',
  merchant_wallet: 'Your wallet',
  in_settlement: 'On its way out',
  outside: 'External banks',
  due_from_bank: 'Owed by the bank',
  unallocated: 'Unallocated money',
  fees: 'Fees',
};

/** Describes a kind of ledger transfer. */
export function transferWords(kind: LedgerEntry['kind']): string {
  return LEDGER_KINDS[kind] ?? kind;
}

/** Describes a kind of ledger account. */
export function accountWords(kind: string): string {
  return ACCOUNT_KINDS[kind] ?? kind;
}

const BANK_STATUSES: Readonly<Record<string, string>> = {
  RCVD: 'received',
  PDNG: 'pending',
  ACTC: 'checked, accepted',
  ACCP: 'customer checked, accepted',
  ACSP: 'accepted, in process',
  ACSC: 'debited',
  ACWC: 'accepted with a change',
  ACWP: 'accepted without posting',
  ACCC: 'credited',
  RJCT: 'rejected',
  CANC: 'cancelled',
  BLCK: 'blocked',
};

/** Returns the bank's status code (ISO 20022) with its meaning. */
export function bankStatusWords(status: string): string {
  const meaning = BANK_STATUSES[status];
  return meaning === undefined ? status : `${status}: ${meaning}`;
}
