import Type, { type Static } from 'typebox';
import {
  AMOUNT_QUERY,
  IdQuery,
  readAmounts,
  readSpan,
  SearchQuery,
  SortBy,
  SPAN_QUERY,
} from '../../platform/http/lists/list-filters.ts';
import { OneOf } from '../../platform/http/schemas/schemas.ts';
import { PAYMENT_SORTS, type PaymentFilter } from '../books/list-store.ts';
import { PAYMENT_STATUSES } from '../payment/payment.ts';

/** The filters and orders of a list of payments; spread them into a query. `from` and `to` limit the due date. */
export const PAYMENT_FILTERS = {
  q: SearchQuery,
  status: Type.Optional(OneOf(PAYMENT_STATUSES)),
  error_code: IdQuery,
  schedule_id: IdQuery,
  customer_id: IdQuery,
  ...SPAN_QUERY,
  ...AMOUNT_QUERY,
  sort: SortBy(PAYMENT_SORTS),
};

const Filters = Type.Object(PAYMENT_FILTERS);

/** Reads the filters of a query but its search. Throws 400 for `from` and `to`. */
export function readFilter(asked: Static<typeof Filters>): PaymentFilter {
  return {
    status: asked.status,
    sort: asked.sort,
    errorCode: asked.error_code,
    scheduleId: asked.schedule_id,
    customerId: asked.customer_id,
    ...readSpan(asked),
    ...readAmounts(asked),
  };
}
