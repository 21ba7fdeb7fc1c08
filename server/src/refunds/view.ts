import Type, { type Static } from 'typebox';
import {
  Amount,
  Failure,
  Id,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
} from '../platform/http/schemas/schemas.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { REFUND_STATUSES } from './refund.ts';
import type { RefundRow } from './store.ts';

/** The refund in responses: docs/rules/refunds.md#the-refund-object. */
export const RefundAnswer = NamedObject('Refund', {
  id: Id('ref'),
  payment_id: Id('pay'),
  amount: Amount,
  status: OneOf(REFUND_STATUSES),
  reason: OrNull(Type.String()),
  error: OrNull(Failure),
  created_at: Instant,
  completed_at: OrNull(Instant),
  failed_at: OrNull(Instant),
});
export type RefundView = Static<typeof RefundAnswer>;

/** Returns a refund in the only form in which it leaves the service. */
export function viewRefund(row: RefundRow): RefundView {
  return {
    id: row.refund_id,
    payment_id: row.payment_id,
    amount: { value: row.amount_pence, currency: row.currency },
    status: row.status,
    reason: row.reason,
    error:
      row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    created_at: formatInstant(row.created_at),
    completed_at: formatInstant(row.completed_at),
    failed_at: formatInstant(row.failed_at),
  };
}
