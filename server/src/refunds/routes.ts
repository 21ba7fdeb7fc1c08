import Type from 'typebox';
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
  Amount,
  Described,
  Fields,
  IdParams,
  ListQuery,
  MoneyListOf,
  OneOf,
  SUM_QUERY,
} from '../platform/http/schemas/schemas.ts';
import { REFUND_STATUSES } from './refund.ts';
import { createRefund, type RefundDeps, showRefund, showRefunds } from './service.ts';
import { RefundAnswer } from './view.ts';

const tag = 'Refunds';
const LONGEST_REASON = 200;

const RefundInput = Fields(
  {
    amount: Type.Optional(
      Described(Amount, 'How much to refund. Default: what is left of the payment.'),
    ),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LONGEST_REASON,
        description: 'Why, in your own words. The customer does not see it.',
      }),
    ),
  },
  'A new refund.',
);

/** The endpoints of refunds, described in docs/rules/refunds.md. */
export function refundRoutes(deps: RefundDeps): Route[] {
  return [...routesOfPayment(deps), ...ownRoutes()];
}

function routesOfPayment(deps: RefundDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/payments/:id/refunds',
      summary: 'Refund a payment',
      description:
        'Whole or in part, to the account that paid. It is taken from your wallet, and from your next settlement. Refused ' +
        'unless the payment has succeeded, and for more than is left of it after other refunds and recalls. Where your ' +
        'wallet has less, it is refused with `insufficient_balance`; with your setting `refunds_wait` it waits for the ' +
        'next collections instead, up to 30 days. Repeat it with the same `Idempotency-Key`: another request is another ' +
        'refund.',
      tag,
      operationId: 'createRefund',
      scope: 'payments',
      permission: 'refund_payments',
      proof: 'never',
      params: IdParams,
      body: RefundInput,
      response: RefundAnswer,
      errors: [
        'not_found',
        'payment_not_refundable',
        'refund_exceeds_payment',
        'insufficient_balance',
      ],
      handle: (call) => createRefund(deps, call, call.params.id, call.body),
    }),
    route({
      method: 'GET',
      path: '/api/v1/payments/:id/refunds',
      summary: 'List the refunds of a payment',
      description: 'The newest first, failed ones included.',
      tag,
      operationId: 'listRefundsOfPayment',
      scope: 'payments',
      permission: 'read',
      params: IdParams,
      query: ListQuery,
      response: MoneyListOf(RefundAnswer),
      errors: ['not_found'],
      handle: (call) => showRefunds(call, { paymentId: call.params.id }, pageOf(call)),
    }),
  ];
}

function ownRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/refunds',
      summary: 'List refunds',
      tag,
      operationId: 'listRefunds',
      scope: 'payments',
      permission: 'read',
      description: 'Those of all payments, the newest first, unless sorted otherwise.',
      query: Fields({
        ...ListQuery.properties,
        ...SUM_QUERY,
        status: Type.Optional(OneOf(REFUND_STATUSES, 'Only refunds in this status.')),
        ...SpanOf('created_at'),
        ...AMOUNT_QUERY,
        sort: SortBy(CREATED_SORTS),
      }),
      response: MoneyListOf(RefundAnswer),
      handle: (call) => {
        const { status, sort } = call.query;
        const filter = { status, sort, ...readSpan(call.query), ...readAmounts(call.query) };
        return showRefunds(call, filter, pageOf(call));
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/refunds/:id',
      summary: 'Get a refund',
      description: 'As it stands: a refund that has succeeded can still come back.',
      tag,
      operationId: 'getRefund',
      scope: 'payments',
      permission: 'read',
      params: IdParams,
      response: RefundAnswer,
      errors: ['not_found'],
      handle: (call) => showRefund(call, call.params.id),
    }),
  ];
}
