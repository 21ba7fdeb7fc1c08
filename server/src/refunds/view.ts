import Type, { type Static } from 'typebox';
import {
  Amount,
  Described,
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
export const RefundAnswer = NamedObject(
  'Refund',
  {
    id: Id('ref', 'The refund’s id.'),
    payment_id: Id('pay', 'The payment that it refunds.'),
    amount: Described(Amount, 'How much goes back.'),
    status: OneOf(
      REFUND_STATUSES,
      '`pending`: not ordered yet, or waiting for money in your wallet. `processing`: with the e-money issuer. `success`: ' +
        'paid to the account that paid. `failed`: not paid, or it came back; its money is in your wallet, and it can be ' +
        'made again.',
    ),
    reason: OrNull(Type.String(), 'Why, in your own words. Null: you gave no reason.'),
    error: OrNull(
      Failure,
      'Why it failed, such as `insufficient_balance`, `payer_unknown`, `payment_returned`, `dispute_closed` or ' +
        '`refund_returned`. Null: it has not.',
    ),
    created_at: Described(Instant, 'When it was created.'),
    completed_at: OrNull(Instant, 'When it was paid. Null: it was not.'),
    failed_at: OrNull(Instant, 'When it failed, or came back. Null: it has not.'),
  },
  'Money of a payment that goes back to the account that paid.',
);
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
