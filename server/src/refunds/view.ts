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
    id: row.refundId,
    payment_id: row.paymentId,
    amount: { value: row.amountPence, currency: row.currency },
    status: row.status,
    reason: row.reason,
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
    created_at: formatInstant(row.createdAt),
    completed_at: formatInstant(row.completedAt),
    failed_at: formatInstant(row.failedAt),
  };
}
