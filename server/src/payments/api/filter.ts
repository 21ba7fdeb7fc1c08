import Type, { type Static } from 'typebox';
import {
  AMOUNT_QUERY,
  IdQuery,
  readAmounts,
  readSpan,
  SPAN_QUERY,
} from '../../platform/http/lists/list-filters.ts';
import { OneOf } from '../../platform/http/schemas/schemas.ts';
import type { PaymentFilter } from '../books/read-store.ts';
import { PAYMENT_STATUSES } from '../payment/payment.ts';

/** The filters of a list of payments; spread them into a query. `from` and `to` limit the due date. */
export const PAYMENT_FILTERS = {
  status: Type.Optional(OneOf(PAYMENT_STATUSES)),
  error_code: IdQuery,
  schedule_id: IdQuery,
  customer_id: IdQuery,
  ...SPAN_QUERY,
  ...AMOUNT_QUERY,
};

const Filters = Type.Object(PAYMENT_FILTERS);

/** Reads the filters of a query. Throws 400 for `from` and `to`. */
export function readFilter(asked: Static<typeof Filters>): PaymentFilter {
  return {
    status: asked.status,
    errorCode: asked.error_code,
    scheduleId: asked.schedule_id,
    customerId: asked.customer_id,
    ...readSpan(asked),
    ...readAmounts(asked),
  };
}
