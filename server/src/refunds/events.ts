import Type from 'typebox';
import { Amount, Failure, Id, Instant, OrNull } from '../platform/http/schemas/schemas.ts';
import type { DataOf, EventDescriptions } from '../platform/state/events.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import type { RefundError } from './state-store.ts';
import type { RefundRow } from './store.ts';

const about = {
  refund_id: Id('ref'),
  payment_id: Id('pay'),
  schedule_id: Id('sch'),
  amount: Amount,
  reason: OrNull(Type.String()),
};

/** The events about a refund: docs/rules/webhooks.md#event-kinds. */
export const REFUND_EVENTS = {
  'refund.success': {
    description: 'A refund was paid to the account that had paid',
    data: Type.Object({ ...about, completed_at: Instant }),
  },
  'refund.failed': {
    description: "A refund was not paid, or came back; its money is in the merchant's wallet",
    data: Type.Object({ ...about, error: Failure, failed_at: Instant }),
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
