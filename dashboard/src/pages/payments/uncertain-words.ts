import type { Payment, UnexpectedMoney } from '@recollect/sdk';

type Reason = NonNullable<Payment['waits_for_operator']>['reason'];

const WAITS: Readonly<Record<Reason, string>> = {
  no_outcome: 'The bank has not said for a day what became of it.',
  credited_without_money: 'The bank says that it has paid, but the money is not there.',
  wrong_amount: 'Money of another amount than asked for has arrived.',
};

/** Why a payment cannot end by itself, in words. */
export function waitingWords(reason: Reason): string {
  return WAITS[reason];
}

const REASONS: Readonly<Record<UnexpectedMoney['reason'], string>> = {
  nothing_awaited: 'It may belong to this payment, which did not wait for it.',
  another_amount: 'The amount differs from what was asked for.',
  another_wallet: 'It names this payment, but came to the wallet of another customer.',
  paid_already: 'This payment was paid already.',
  later_attempt: 'It is from an earlier attempt; a later one is with the bank.',
  left_over: 'It is left over from an amount that was too high.',
};

const ENDS: Readonly<Record<UnexpectedMoney['status'], string>> = {
  open: 'It is not in your wallet: somebody decides what becomes of it.',
  allocated: 'It has paid for this payment.',
  accepted_in_part: 'It was accepted for this payment, as far as it went.',
  returned: 'It went back to who paid it.',
  paid_on: 'It was paid on by hand to whom it was owed.',
};

/** Why money was not expected, and what became of it, in words. */
export function unexpectedWords({ reason, status }: UnexpectedMoney): string {
  return `${REASONS[reason]} ${ENDS[status]}`;
}
