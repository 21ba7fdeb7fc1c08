import type { Attempt } from '@recollect/sdk';

/** An attempt as the merchant reads it. */
export interface Outcome {
  tone: 'success' | 'danger' | 'info';
  title: string;
  detail: string;
}

/** What became of an attempt, in words. */
export function outcomeOf(attempt: Attempt): Outcome {
  if (attempt.status === 'success')
    return { tone: 'success', title: 'Collected', detail: 'The money is in your wallet.' };
  if (attempt.status === 'processing')
    return {
      tone: 'info',
      title: 'With the bank',
      detail: 'It is on its way; the outcome will show here.',
    };
  const detail = attempt.error?.message ?? 'The bank did not say why.';
  return { tone: 'danger', title: 'Failed', detail };
}

const LEDGER_KINDS: Readonly<Record<string, string>> = {
  pay_in: 'Paid in',
  move: 'Moved to your wallet',
  settle: 'Set apart for settlement',
  settle_back: 'Back in your wallet',
  pay_out: 'Paid out',
  extra_pay_in: 'Paid in beyond what was asked',
  pay_out_return: 'Pay-out came back',
  recall: 'Recalled by the payer’s bank',
  net: 'Set apart for a recalled collection',
  cover: 'Recalled collection covered',
  claim: 'The bank says that it has paid',
  claim_back: 'What the bank said did not hold',
  allocate: 'Money that had waited, given to this payment',
  give_back: 'Money that had waited, sent away again',
};

const ACCOUNT_KINDS: Readonly<Record<string, string>> = {
  customer_wallet: "Customer's wallet",
  merchant_wallet: 'Your wallet',
  in_settlement: 'In settlement',
  outside: 'Banks outside',
  due_from_bank: 'Owed by the bank',
  unallocated: 'Money that waits for a decision',
};

/** A kind of transfer of the ledger, in words. */
export function transferWords(kind: string): string {
  return LEDGER_KINDS[kind] ?? kind;
}

/** A kind of account of the ledger, in words. */
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

/** The bank's status word (ISO 20022) with its meaning. */
export function bankStatusWords(status: string): string {
  const meaning = BANK_STATUSES[status];
  return meaning === undefined ? status : `${status}: ${meaning}`;
}
