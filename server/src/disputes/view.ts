import Type, { type Static } from 'typebox';
import {
  Amount,
  AmountOrZero,
  Described,
  Id,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
} from '../platform/http/schemas/schemas.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import type { Vault } from '../platform/vault/vault.ts';
import { DISPUTE_REASONS, DISPUTE_STATUSES, type GivenBack, owedOf, RAISED_BY } from './dispute.ts';
import type { DisputeRow } from './store.ts';
import { openText } from './texts.ts';

/** What the reasons mean, for the document. */
export const REASONS_DESCRIBED =
  '`unauthorised`: the customer did not agree to it. `after_withdrawal`: it was taken after they withdrew their permission. ' +
  '`wrong_amount`: another amount was due. `duplicate`: it was paid already. `not_received`: they did not get what they ' +
  'paid for. `other`: as the note says.';

/** The dispute in responses: docs/rules/disputes.md#the-dispute-object. */
export const DisputeAnswer = NamedObject(
  'Dispute',
  {
    id: Id('dsp', 'The dispute’s id.'),
    payment_id: Id('pay', 'The payment that is disputed.'),
    schedule_id: Id('sch', 'The schedule of the payment.'),
    raised_by: OneOf(
      RAISED_BY,
      '`customer`: on their page. `merchant`: your team or program, who were told.',
    ),
    reason: OneOf(DISPUTE_REASONS, REASONS_DESCRIBED),
    amount: Described(Amount, 'How much of the payment is disputed.'),
    note: OrNull(Type.String(), 'What was said about it. Null: nothing.'),
    status: OneOf(
      DISPUTE_STATUSES,
      '`open`: it waits for your answer. `refunded`: you gave the money back; it is open again if the refund fails. ' +
        '`returned`: the customer’s bank took the payment back. `rejected`: you answered why nothing is due. `withdrawn`: ' +
        'it was taken back.',
    ),
    deadline: Described(Instant, 'Until when it has to be answered.'),
    left: Described(
      AmountOrZero,
      'What it still asks for: less what was refunded or taken back by the customer’s bank since. Zero once it has ended.',
    ),
    returned: Described(
      AmountOrZero,
      'How much of it goes back, or came back. Zero while it is open.',
    ),
    refund_id: OrNull(
      Id('ref'),
      'The refund that pays it. Null: none does. While it is open, that refund waits for money in your wallet.',
    ),
    answer: OrNull(Type.String(), 'What you answered, as the customer reads it. Null: nothing.'),
    created_at: Described(Instant, 'When it was raised.'),
    ended_at: OrNull(Instant, 'When it ended. Null: it is open.'),
  },
  'A payment that a customer does not recognise, or does not agree with.',
);
export type DisputeView = Static<typeof DisputeAnswer>;

/** Returns a dispute in the only form in which it leaves the service. */
export function viewDispute(vault: Vault, row: DisputeRow, payment: GivenBack): DisputeView {
  const { currency } = row;
  const left = row.status === 'open' ? owedOf(row, payment) : 0;
  return {
    id: row.disputeId,
    payment_id: row.paymentId,
    schedule_id: row.scheduleId,
    raised_by: row.raisedBy,
    reason: row.reason,
    amount: { value: row.amountPence, currency },
    note: openText(vault, row, 'note'),
    status: row.status,
    deadline: formatInstant(row.deadlineAt),
    left: { value: left, currency },
    returned: { value: row.returnedPence ?? 0, currency },
    refund_id: row.refundId,
    answer: openText(vault, row, 'answer'),
    created_at: formatInstant(row.createdAt),
    ended_at: formatInstant(row.endedAt),
  };
}
