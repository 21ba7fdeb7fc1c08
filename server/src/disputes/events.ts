import Type from 'typebox';
import {
  Amount,
  AmountOrZero,
  Described,
  Id,
  Instant,
  OneOf,
  OrNull,
} from '../platform/http/schemas/schemas.ts';
import type { DataOf, EventDescriptions } from '../platform/state/events.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { DISPUTE_REASONS, type DisputeStatus, RAISED_BY } from './dispute.ts';
import type { DisputeRow } from './store.ts';

const about = {
  dispute_id: Id('dsp', 'The dispute.'),
  payment_id: Id('pay', 'The payment that is disputed.'),
  schedule_id: Id('sch', 'The schedule of the payment.'),
  raised_by: OneOf(RAISED_BY, 'Who raised it.'),
  reason: OneOf(DISPUTE_REASONS, 'Why.'),
  amount: Described(Amount, 'How much of the payment is disputed.'),
  deadline: Described(Instant, 'Until when it has to be answered.'),
};

const OUTCOMES = ['refunded', 'returned', 'rejected', 'withdrawn'] as const;

/** The events about a dispute: docs/rules/webhooks.md#event-kinds. */
export const DISPUTE_EVENTS = {
  'dispute.opened': {
    description: 'a customer, or your team for them, disputes a payment',
    data: Type.Object({ ...about, created_at: Described(Instant, 'When it was raised.') }),
  },
  'dispute.closed': {
    description: 'a dispute ended: its money went back, or it was rejected or withdrawn',
    data: Type.Object({
      ...about,
      outcome: OneOf(OUTCOMES, 'How it ended.'),
      returned: Described(AmountOrZero, 'How much of it goes back, or came back.'),
      refund_id: OrNull(Id('ref'), 'The refund that pays it. Null: none does.'),
      ended_at: Described(Instant, 'When it ended.'),
    }),
  },
  'dispute.reopened': {
    description: 'the refund of a dispute failed or came back, and it is open again',
    data: Type.Object({ ...about, reopened_at: Described(Instant, 'When it was opened again.') }),
  },
} satisfies EventDescriptions;

const aboutOf = (row: DisputeRow) => ({
  dispute_id: row.disputeId,
  payment_id: row.paymentId,
  schedule_id: row.scheduleId,
  raised_by: row.raisedBy,
  reason: row.reason,
  amount: { value: row.amountPence, currency: row.currency },
  deadline: formatInstant(row.deadlineAt),
});

/** The data of `dispute.opened`. */
export const openedData = (
  now: Temporal.Instant,
  row: DisputeRow,
): DataOf<typeof DISPUTE_EVENTS, 'dispute.opened'> => ({
  ...aboutOf(row),
  created_at: formatInstant(now),
});

/** How a dispute ended. */
export interface DisputeEnd {
  status: Exclude<DisputeStatus, 'open'>;
  returnedPence: number;
  refundId: string | null;
}

/** The data of `dispute.closed`. */
export const closedData = (
  now: Temporal.Instant,
  row: DisputeRow,
  { status, returnedPence, refundId }: DisputeEnd,
): DataOf<typeof DISPUTE_EVENTS, 'dispute.closed'> => ({
  ...aboutOf(row),
  outcome: status,
  returned: { value: returnedPence, currency: row.currency },
  refund_id: refundId,
  ended_at: formatInstant(now),
});

/** The data of `dispute.reopened`. */
export const reopenedData = (
  now: Temporal.Instant,
  row: DisputeRow,
): DataOf<typeof DISPUTE_EVENTS, 'dispute.reopened'> => ({
  ...aboutOf(row),
  reopened_at: formatInstant(now),
});
