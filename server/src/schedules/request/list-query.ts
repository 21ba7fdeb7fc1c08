import Type from 'typebox';
import {
  AMOUNT_QUERY,
  IdQuery,
  MonthQuery,
  SearchQuery,
  SpanOf,
} from '../../platform/http/lists/list-filters.ts';
import { Fields, Id, OneOf } from '../../platform/http/schemas/schemas.ts';

/** The filters of the list of schedules; they go in a query, or in a body that names what the list shows. */
export const ScheduleFilterQuery = Fields({
  q: SearchQuery(
    'words of the description, an id or its beginning, an amount in pounds, the bank’s id of a payment, or what finds a customer',
  ),
  status: Type.Optional(
    OneOf(
      ['pending_consent', 'active', 'paused', 'cancelled', 'failing'],
      'Only schedules in this status. `failing`: active, and the latest collection that has ended failed for good.',
    ),
  ),
  error_code: IdQuery('Only failing schedules whose latest collection failed with this code.'),
  customer_id: Type.Optional(
    Type.String({
      ...Id('cus', 'Only schedules of this customer. An unknown id is 404.'),
      minLength: 1,
      maxLength: 64,
    }),
  ),
  started: MonthQuery('Only schedules that first became active in this month, such as `2026-03`.'),
  ...SpanOf('created_at'),
  ...AMOUNT_QUERY,
});
