import Type, { type Static } from 'typebox';
import {
  AMOUNT_QUERY,
  IdQuery,
  readAmounts,
  readSpan,
  SearchQuery,
  SortBy,
  SpanOf,
} from '../../platform/http/lists/list-filters.ts';
import { OneOf } from '../../platform/http/schemas/schemas.ts';
import { PAYMENT_SORTS, type PaymentFilter } from '../books/list-store.ts';
import { PAYMENT_STATUSES } from '../payment/payment.ts';

/** The filters and orders of a list of payments; spread them into a query. `from` and `to` limit the due date. */
export const PAYMENT_FILTERS = {
  q: SearchQuery(
    'an id or its beginning, an amount in pounds, an attempt’s instruction id or the bank’s id of a payment; ' +
      'for a key with the scope `schedules` also words of the description, for one with `customers` what finds a customer',
  ),
  status: Type.Optional(OneOf(PAYMENT_STATUSES, 'Only payments in this status.')),
  error_code: IdQuery('Only payments whose `error` has this code.'),
  bank_id: IdQuery('Only payments from accounts at this bank.'),
  schedule_id: IdQuery('Only payments of this schedule. An unknown id is 404.'),
  customer_id: IdQuery('Only payments of this customer. An unknown id is 404.'),
  ...SpanOf('due_date'),
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
    bankId: asked.bank_id,
    scheduleId: asked.schedule_id,
    customerId: asked.customer_id,
    ...readSpan(asked),
    ...readAmounts(asked),
  };
}
