import Type, { type Static } from 'typebox';
import { DISPUTE_REASONS, DISPUTE_STATUSES, RAISED_BY } from '../../disputes/dispute.ts';
import { Amount, Id, Instant, NamedObject, OneOf } from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import type { DisputeOfAll } from './store.ts';

/** A dispute in the operators' list. */
export const DisputeOfAllView = NamedObject('AdminDispute', {
  id: Id('dsp'),
  merchant_id: Id('mer'),
  merchant_name: Type.String(),
  payment_id: Id('pay'),
  raised_by: OneOf(RAISED_BY),
  reason: OneOf(DISPUTE_REASONS),
  amount: Amount,
  status: OneOf(DISPUTE_STATUSES),
  deadline: Instant,
  created_at: Instant,
});
export type DisputeOfAllView = Static<typeof DisputeOfAllView>;

/** Returns a dispute as operators are shown it. */
export const viewDisputeOfAll = (row: DisputeOfAll): DisputeOfAllView => ({
  id: row.disputeId,
  merchant_id: row.merchantId,
  merchant_name: row.merchantName,
  payment_id: row.paymentId,
  raised_by: row.raisedBy,
  reason: row.reason,
  amount: { value: row.amountPence, currency: row.currency },
  status: row.status,
  deadline: formatInstant(row.deadlineAt),
  created_at: formatInstant(row.createdAt),
});
