import Type from 'typebox';
import {
  Amount,
  Described,
  Failure,
  Id,
  Instant,
  OrNull,
} from '../platform/http/schemas/schemas.ts';
import type { DataOf, EventDescriptions } from '../platform/state/events.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import type { RefundError } from './state-store.ts';
import type { RefundRow } from './store.ts';

const about = {
  refund_id: Id('ref', 'The refund.'),
  payment_id: Id('pay', 'The payment that it refunds.'),
  schedule_id: Id('sch', 'The schedule of the payment.'),
  amount: Described(Amount, 'How much it refunds.'),
  reason: OrNull(Type.String(), 'Why, in your own words. Null: you gave no reason.'),
};

/** The events about a refund: docs/rules/webhooks.md#event-kinds. */
export const REFUND_EVENTS = {
  'refund.success': {
    description: 'a refund was paid to the account that had paid',
    data: Type.Object({ ...about, completed_at: Described(Instant, 'When it was paid.') }),
  },
  'refund.failed': {
    description: 'a refund was not paid, or came back. Its money is in your wallet',
    data: Type.Object({
      ...about,
      error: Described(Failure, 'Why: one of the codes of a refund’s `error`.'),
      failed_at: Described(Instant, 'When it failed, or came back.'),
    }),
  },
} satisfies EventDescriptions;

const aboutOf = (row: RefundRow) => ({
  refund_id: row.refundId,
  payment_id: row.paymentId,
  schedule_id: row.scheduleId,
  amount: { value: row.amountPence, currency: row.currency },
  reason: row.reason,
});

/** The data of `refund.success`. */
export const successData = (
  now: Temporal.Instant,
  row: RefundRow,
): DataOf<typeof REFUND_EVENTS, 'refund.success'> => ({
  ...aboutOf(row),
  completed_at: formatInstant(now),
});

/** The data of `refund.failed`. */
export const failedData = (
  now: Temporal.Instant,
  row: RefundRow,
  error: RefundError,
): DataOf<typeof REFUND_EVENTS, 'refund.failed'> => ({
  ...aboutOf(row),
  error,
  failed_at: formatInstant(now),
});
