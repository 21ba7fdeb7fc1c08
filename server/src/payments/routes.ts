import Type, { type Static } from 'typebox';
import {
  AMOUNT_QUERY,
  IdQuery,
  readAmounts,
  readSpan,
  SPAN_QUERY,
} from '../platform/http/list-filters.ts';
import { type Route, route } from '../platform/http/route.ts';
import {
  Amount,
  Fields,
  IdParams,
  InstantInput,
  ListOf,
  ListQuery,
  OneOf,
  OrNull,
} from '../platform/http/schemas.ts';
import type { Platform } from '../platform/platform.ts';
import { collectOnce, collectOnceErrors } from './ad-hoc/collect-once.ts';
import { PAYMENT_STATUSES } from './payment.ts';
import type { PaymentFilter } from './read-store.ts';
import { PaymentAnswer } from './schemas.ts';
import { retryPayment, showPayment, showPayments } from './service.ts';

const tag = 'Payments';

/** The payments' endpoints; what they do is in docs/rules/payments.md. */
export function paymentRoutes(platform: Platform): Route[] {
  return [...listRoutes(), collectOnceRoute(platform), ...singleRoutes()];
}

function collectOnceRoute(platform: Platform): Route {
  return route({
    method: 'POST',
    path: '/api/v1/schedules/:id/payments',
    summary: 'Collect once',
    description:
      'Makes one payment besides the occurrences of the schedule, now or at `due_date`, within the limits that the customer ' +
      'agreed to. It does not take the room that the coming occurrences need in the same period.',
    tag,
    operationId: 'createPayment',
    params: IdParams,
    body: Fields({
      amount: Amount,
      due_date: Type.Optional(OrNull(InstantInput)),
      description: Type.Optional(OrNull(Type.String({ minLength: 1, maxLength: 255 }))),
    }),
    response: PaymentAnswer,
    check: collectOnceErrors,
    errors: [
      'merchant_suspended',
      'not_found',
      'consent_required',
      'schedule_paused',
      'schedule_cancelled',
      'limit_exceeded',
    ],
    handle: (call) => collectOnce(platform, call, call.params.id, call.body),
  });
}

const PaymentQuery = Fields({
  ...ListQuery.properties,
  status: Type.Optional(OneOf(PAYMENT_STATUSES)),
  error_code: IdQuery,
  schedule_id: IdQuery,
  customer_id: IdQuery,
  ...SPAN_QUERY,
  ...AMOUNT_QUERY,
});

function filterOf(query: Static<typeof PaymentQuery>): PaymentFilter {
  return {
    status: query.status,
    errorCode: query.error_code,
    customerId: query.customer_id,
    scheduleId: query.schedule_id,
    ...readSpan(query),
    ...readAmounts(query),
  };
}

function listRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/schedules/:id/payments',
      summary: 'List the payments of a schedule',
      tag,
      operationId: 'listPaymentsOfSchedule',
      params: IdParams,
      query: ListQuery,
      response: ListOf(PaymentAnswer),
      errors: ['not_found'],
      handle: (call) => showPayments(call, { scheduleId: call.params.id }, call.query),
    }),
    route({
      method: 'GET',
      path: '/api/v1/payments',
      summary: 'List payments',
      tag,
      operationId: 'listPayments',
      description: '`from` and `to` are of `due_date`.',
      query: PaymentQuery,
      response: ListOf(PaymentAnswer),
      errors: ['not_found'],
      handle: (call) => showPayments(call, filterOf(call.query), call.query),
    }),
  ];
}

function singleRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/payments/:id',
      summary: 'Get a payment',
      tag,
      operationId: 'getPayment',
      params: IdParams,
      response: PaymentAnswer,
      errors: ['not_found'],
      handle: (call) => showPayment(call, call.params.id),
    }),
    route({
      method: 'POST',
      path: '/api/v1/payments/:id/retry',
      summary: 'Retry a failed payment by hand',
      description:
        'It does not count against `max_retries`, and is held against the limits of the consent like every payment.',
      tag,
      operationId: 'retryPayment',
      params: IdParams,
      response: PaymentAnswer,
      errors: ['not_found', 'merchant_suspended', 'payment_not_retryable', 'limit_exceeded'],
      handle: (call) => retryPayment(call, call.params.id),
    }),
  ];
}
