import type { Payment, UnexpectedMoney } from '@recollect/sdk';

type Reason = NonNullable<Payment['waits_for_operator']>['reason'];

const WAITS: Readonly<Record<Reason, string>> = {
  no_outcome: 'The bank has not confirmed the outcome for more than a day.',
  credited_without_money: 'The bank says it has paid, but the money has not arrived.',
  wrong_amount: 'A different amount from the one requested has arrived.',
};

/** Why a payment cannot end by itself, in words. */
export function waitingWords(reason: Reason): string {
  return WAITS[reason];
}

const REASONS: Readonly<Record<UnexpectedMoney['reason'], string>> = {
  nothing_awaited: 'It may belong to this payment, which was not waiting for it.',
  another_amount: 'The amount differs from the one requested.',
  another_wallet: 'It names this payment, but arrived in another customer’s wallet.',
  paid_already: 'This payment had already been paid.',
  later_attempt: 'It is from an earlier attempt; a later one is with the bank.',
  left_over: 'It is left over from an amount that was too high.',
};

const ENDS: Readonly<Record<UnexpectedMoney['status'], string>> = {
  open: 'It is not in your wallet: we have yet to decide what to do with it.',
  allocated: 'It was used for this payment.',
  accepted_in_part: 'It was accepted as part payment.',
  returned: 'It went back to the payer.',
  paid_on: 'It was paid on by hand to whoever it was owed to.',
};

/** Why money was not expected, and what became of it, in words. */
export function unexpectedWords({ reason, status }: UnexpectedMoney): string {
  return `${REASONS[reason]} ${ENDS[status]}`;
}
