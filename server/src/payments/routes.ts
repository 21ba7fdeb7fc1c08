import Type, { type Static } from 'typebox';
import { PayingAccount } from '../customers/schemas.ts';
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
  AmountOrZero,
  Failure,
  Fields,
  Id,
  IdParams,
  Instant,
  InstantInput,
  ListOf,
  ListQuery,
  NamedObject,
  OneOf,
  OrNull,
} from '../platform/http/schemas.ts';
import type { Platform } from '../platform/platform.ts';
import { collectOnce, collectOnceErrors } from './ad-hoc/collect-once.ts';
import { NO_RETRY_REASONS, PAYMENT_KINDS } from './payment.ts';
import type { PaymentFilter } from './read-store.ts';
import { retryPayment, showPayment, showPayments } from './service.ts';

const tag = 'Payments';
const STATUSES = ['pending', 'processing', 'success', 'failed'] as const;

/** The payment in responses: docs/rules/payments.md#the-payment-object. */
export const PaymentAnswer = NamedObject('Payment', {
  id: Id('pay'),
  schedule_id: Id('sch'),
  customer_id: Id('cus'),
  kind: OneOf(
    PAYMENT_KINDS,
    "`scheduled`: one of the schedule's occurrences. `ad_hoc`: a payment besides them.",
  ),
  amount: Amount,
  description: OrNull(Type.String()),
  status: OneOf(STATUSES),
  due_date: Instant,
  attempts: Type.Array(
    NamedObject('PaymentAttempt', {
      number: Type.Integer({ minimum: 1 }),
      status: OneOf(['processing', 'success', 'failed']),
      manual: Type.Boolean(),
      error: OrNull(Failure),
      bank_payment_id: OrNull(Type.String()),
      bank_status: OrNull(Type.String()),
      started_at: Instant,
      finished_at: OrNull(Instant),
    }),
  ),
  next_retry_at: OrNull(Instant),
  no_retry_reason: OrNull(OneOf(NO_RETRY_REASONS)),
  error: OrNull(Failure),
  settlement_id: OrNull(Id('set')),
  fee: OrNull({
    ...AmountOrZero,
    description:
      'What your operator takes of it, netted from its settlement; null until it succeeds.',
  }),
  refunded: {
    ...AmountOrZero,
    description: 'Refunded, or being refunded; failed refunds do not count.',
  },
  returned: OrNull(
    NamedObject('ReturnedMoney', { amount: Amount, at: Instant, reason: Type.String() }),
  ),
  paying_account: OrNull(PayingAccount),
  created_at: Instant,
  completed_at: OrNull(Instant),
  failed_at: OrNull(Instant),
  waits_for_operator: OrNull(
    Type.Object(
      { reason: OneOf(['no_outcome', 'credited_without_money', 'wrong_amount']), since: Instant },
      {
        title: 'WaitsForOperator',
        description: 'It cannot end on its own: somebody has to find out its outcome.',
      },
    ),
  ),
  unexpected_money: Type.Array(
    NamedObject('UnexpectedMoney', {
      id: Id('una'),
      amount: AmountOrZero,
      status: OneOf(['open', 'allocated', 'accepted_in_part', 'returned', 'paid_on']),
      reason: OneOf([
        'nothing_awaited',
        'another_amount',
        'another_wallet',
        'paid_already',
        'later_attempt',
        'left_over',
      ]),
      arrived_at: Instant,
      ended_at: OrNull(Instant),
    }),
    { description: 'Money that came and may belong to it, beside what it waited for.' },
  ),
});

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
  status: Type.Optional(OneOf(STATUSES)),
  error_code: IdQuery,
  schedule_id: IdQuery,
  customer_id: IdQuery,
  ...SPAN_QUERY,
  ...AMOUNT_QUERY,
});

function filterOf(query: Static<typeof PaymentQuery>): PaymentFilter {
  const { status, error_code: errorCode, customer_id: customerId } = query;
  return {
    ...(status === undefined ? {} : { status }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(customerId === undefined ? {} : { customerId }),
    ...(query.schedule_id === undefined ? {} : { scheduleId: query.schedule_id }),
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
