import Type from 'typebox';
import { PayingAccount } from '../../customers/schemas.ts';
import {
  Amount,
  AmountOrZero,
  Failure,
  Id,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import { UNALLOCATED_REASONS } from './allocation.ts';
import { NOT_SENT_REASONS } from './not-sent.ts';
import { NO_RETRY_REASONS, PAYMENT_KINDS, PAYMENT_STATUSES } from './payment.ts';
import { ITEM_STATUSES } from './unallocated-item.ts';
import { WAITING_REASONS } from './waiting.ts';

/** The payment in responses: docs/rules/payments.md#the-payment-object. */
export const PaymentAnswer = NamedObject('Payment', {
  id: Id('pay'),
  schedule_id: Id('sch'),
  customer_id: Id('cus'),
  kind: OneOf(
    PAYMENT_KINDS,
    "`scheduled`: one of the schedule's occurrences. `ad_hoc`: a payment besides them.",
  ),
  amount: Amount,
  /** Of an ad-hoc payment that was given one; else null: the schedule's holds. */
  description: OrNull(Type.String()),
  status: OneOf(PAYMENT_STATUSES),
  due_date: Instant,
  attempts: Type.Array(
    NamedObject('PaymentAttempt', {
      number: Type.Integer({ minimum: 1 }),
      status: OneOf(['processing', 'success', 'failed']),
      manual: Type.Boolean(),
      error: OrNull(Failure),
      bank_payment_id: OrNull(Type.String()),
      bank_status: OrNull(Type.String()),
      started_at: Instant,
      sent_at: OrNull({
        ...Instant,
        description: 'When its order was sent to the bank; null: nothing was sent.',
      }),
      finished_at: OrNull(Instant),
    }),
  ),
  next_retry_at: OrNull(Instant),
  /** Why no retry follows; null unless the payment has failed. */
  no_retry_reason: OrNull(OneOf(NO_RETRY_REASONS)),
  error: OrNull(Failure),
  settlement_id: OrNull(Id('set')),
  fee: OrNull({
    ...AmountOrZero,
    description:
      'What your operator takes of it, netted from its settlement; null until it succeeds.',
  }),
  refunded: {
    ...AmountOrZero,
    description: 'Refunded, or being refunded; failed refunds do not count.',
  },
  /** Recalled by the payer's bank after success; null: not recalled. */
  returned: OrNull(
    NamedObject('ReturnedMoney', { amount: Amount, at: Instant, reason: Type.String() }),
  ),
  paying_account: OrNull(PayingAccount),
  created_at: Instant,
  completed_at: OrNull(Instant),
  failed_at: OrNull(Instant),
  not_sent: OrNull(
    Type.Object(
      {
        reason: OneOf(NOT_SENT_REASONS),
        bank_id: Type.String(),
        next_try_at: OrNull(Instant),
      },
      {
        title: 'NotSent',
        description:
          'Why the order of the attempt under way has not been sent yet, and when we try again (null: now, or when somebody has acted).',
      },
    ),
  ),
  waits_for_operator: OrNull(
    Type.Object(
      { reason: OneOf(WAITING_REASONS), since: Instant },
      {
        title: 'WaitsForOperator',
        description: 'It cannot end on its own: somebody has to find out its outcome.',
      },
    ),
  ),
  unexpected_money: Type.Array(
    NamedObject('UnexpectedMoney', {
      id: Id('una'),
      amount: AmountOrZero,
      status: OneOf(ITEM_STATUSES),
      reason: OneOf(UNALLOCATED_REASONS),
      arrived_at: Instant,
      ended_at: OrNull(Instant),
    }),
    { description: 'Money that came and may belong to it, beside what it waited for.' },
  ),
});
