import type { Payment, UnexpectedMoney } from '@recollect/sdk';

type Reason = NonNullable<Payment['waits_for_operator']>['reason'];

const WAITS: Readonly<Record<Reason, string>> = {
  no_outcome: 'The bank has not confirmed the outcome for more than a day.',
  credited_without_money: 'The bank reports that it has paid, but the money has not arrived.',
  wrong_amount: 'A different amount from the one requested has arrived.',
  not_transferred: 'The money has arrived, but cannot be transferred to your wallet.',
  not_sent: 'Nothing could be sent to the bank for a week.',
};

/** Explains why a payment cannot end on its own. */
export function waitingWords(reason: Reason): string {
  return WAITS[reason];
}

const REASONS: Readonly<Record<UnexpectedMoney['reason'], string>> = {
  nothing_awaited: 'It may belong to this payment, but no payment was due.',
  another_amount: 'The amount differs from the one requested.',
  another_wallet: 'Its reference names this payment, but it arrived in another customer’s wallet.',
  paid_already: 'This payment had already been paid.',
  later_attempt: 'It belongs to an earlier attempt; a later one is with the bank.',
  left_over: 'It is the excess of an overpayment.',
  came_back: 'It was sent back, and was returned to us.',
  not_transferred: 'It was collected, but could not be transferred to your wallet.',
};

const ENDS: Readonly<Record<UnexpectedMoney['status'], string>> = {
  open: 'It is not in your wallet: we have not yet decided where it belongs.',
  allocated: 'It was used for this payment.',
  accepted_in_part: 'It was accepted as part payment.',
  returned: 'It went back to the payer.',
  paid_on: 'It was paid manually to the rightful recipient.',
  credited: 'It was added to your balance.',
};

/** Explains why money was unexpected, and its outcome. */
export function unexpectedWords({ reason, status }: UnexpectedMoney): string {
  return `${REASONS[reason]} ${ENDS[status]}`;
}
