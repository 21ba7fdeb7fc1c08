import Type from 'typebox';
import { showPayments } from '../payments/api/service.ts';
import { PaymentAnswer } from '../payments/payment/schemas.ts';
import { type Route, route } from '../platform/http/calls/route.ts';
import {
  AMOUNT_QUERY,
  CREATED_SORTS,
  readAmounts,
  readSpan,
  SortBy,
  SpanOf,
} from '../platform/http/lists/list-filters.ts';
import { pageOf } from '../platform/http/lists/page.ts';
import {
  Fields,
  IdParams,
  ListQuery,
  MoneyListOf,
  OneOf,
  SUM_QUERY,
} from '../platform/http/schemas/schemas.ts';
import type { SettlementDeps } from './destination.ts';
import { retrySettlement, showSettlement, showSettlements } from './service.ts';
import { referenceLetters, SETTLEMENT_STATUSES } from './settlement.ts';
import { SettlementAnswer } from './view.ts';

const tag = 'Settlements';

/** The endpoints of settlements, described in docs/rules/settlements.md. */
export function settlementRoutes(deps: SettlementDeps): Route[] {
  return [listRoute(deps), showRoute(deps), paymentsRoute(deps), retryRoute(deps)];
}

function listRoute(deps: SettlementDeps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/settlements',
    summary: 'List settlements',
    tag,
    operationId: 'listSettlements',
    scope: 'settlements',
    permission: 'read',
    description:
      'One for each business day on which something is paid out, the newest first, unless sorted otherwise.',
    query: Fields({
      ...ListQuery.properties,
      ...SUM_QUERY,
      status: Type.Optional(OneOf(SETTLEMENT_STATUSES, 'Only settlements in this status.')),
      q: Type.Optional(
        Type.String({
          maxLength: 255,
          description:
            'A line of your bank statement, or a part of its reference, in whatever case and with blanks: only the settlements ' +
            'whose `statement_reference` it has, or is a part of.',
        }),
      ),
      ...SpanOf('created_at'),
      ...AMOUNT_QUERY,
      sort: SortBy(CREATED_SORTS),
    }),
    response: MoneyListOf(SettlementAnswer),
    handle: (call) => {
      const { status, sort, q } = call.query;
      const reference = q?.trim() ? referenceLetters(q) : undefined;
      const filter = {
        status,
        sort,
        reference,
        ...readSpan(call.query),
        ...readAmounts(call.query),
      };
      return showSettlements(deps, call, filter, pageOf(call));
    },
  });
}

function showRoute(deps: SettlementDeps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/settlements/:id',
    summary: 'Get a settlement',
    description: 'As it stands: a settlement that has succeeded can still come back.',
    tag,
    operationId: 'getSettlement',
    scope: 'settlements',
    permission: 'read',
    params: IdParams,
    response: SettlementAnswer,
    errors: ['not_found'],
    handle: (call) => showSettlement(deps, call, call.params.id),
  });
}

function paymentsRoute(deps: SettlementDeps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/settlements/:id/payments',
    summary: 'List the payments of a settlement',
    description:
      'Their amounts add up to the `gross` of the settlement, and their fees to its `fees`.',
    tag,
    operationId: 'listPaymentsOfSettlement',
    scope: 'settlements',
    permission: 'read',
    params: IdParams,
    query: ListQuery,
    response: MoneyListOf(PaymentAnswer),
    errors: ['not_found'],
    handle: async (call) => {
      await showSettlement(deps, call, call.params.id);
      return showPayments(call, { settlementId: call.params.id }, pageOf(call));
    },
  });
}

function retryRoute(deps: SettlementDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/settlements/:id/retry',
    summary: 'Pay a failed settlement out again at once',
    description:
      'To the settlement account that is in force now. Without it the money goes out with the next business day’s ' +
      'settlement. Refused unless the settlement has failed; once its money has gone out with a later one; and where ' +
      'refunds or recalled payments have taken a part of it.',
    tag,
    operationId: 'retrySettlement',
    scope: 'payments',
    permission: 'retry_settlements',
    proof: 'never',
    params: IdParams,
    response: SettlementAnswer,
    errors: ['not_found', 'settlement_not_retryable'],
    handle: (call) => retrySettlement(deps, call, call.params.id),
  });
}
