import Type from 'typebox';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { pageOf } from '../../platform/http/lists/page.ts';
import {
  Amount,
  Described,
  Fields,
  IdParams,
  InstantInput,
  ListQuery,
  MoneyListOf,
  OrNull,
  SUM_QUERY,
} from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { readMatch } from '../../schedules/books/match.ts';
import { PaymentAnswer } from '../payment/schemas.ts';
import { collectOnce, collectOnceErrors } from './collect-once.ts';
import { PAYMENT_FILTERS, readFilter } from './filter.ts';
import { retryPayment, showPayment, showPayments } from './service.ts';

const tag = 'Payments';

/** The payments' endpoints; what they do is in docs/rules/payments.md. */
export function paymentRoutes(platform: Platform): Route[] {
  return [...listRoutes(platform), collectOnceRoute(platform), ...singleRoutes()];
}

function collectOnceRoute(platform: Platform): Route {
  return route({
    method: 'POST',
    path: '/api/v1/schedules/:id/payments',
    summary: 'Collect once',
    description:
      'Makes one payment besides the occurrences of the schedule, now or at `due_date`, within the limits that the ' +
      'customer agreed to. Where the limits have no room for it beside the coming occurrences of the period, it is ' +
      'refused: `details` has `available`, in pence, and `available_from`, when there is room. Refused too before the ' +
      'customer has agreed, for a schedule that is paused or cancelled, and while the operator has you suspended.',
    tag,
    operationId: 'createPayment',
    scope: 'payments',
    permission: 'manage_schedules',
    proof: 'never',
    params: IdParams,
    body: Fields(
      {
        amount: Described(Amount, 'What it collects.'),
        due_date: Type.Optional(
          OrNull(
            InstantInput,
            'When it is due, at most a year ahead. ISO 8601 with an offset or Z. Null: now.',
          ),
        ),
        description: Type.Optional(
          OrNull(
            Type.String({ minLength: 1, maxLength: 255 }),
            'What it is for, as the customer reads it. Null: what the schedule says.',
          ),
        ),
      },
      'One payment besides the occurrences of a schedule.',
    ),
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

function listRoutes(platform: Platform): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/schedules/:id/payments',
      summary: 'List the payments of a schedule',
      description: 'The newest first: those of its occurrences, and ad-hoc payments.',
      tag,
      operationId: 'listPaymentsOfSchedule',
      scope: 'payments',
      permission: 'read',
      params: IdParams,
      query: ListQuery,
      response: MoneyListOf(PaymentAnswer),
      errors: ['not_found'],
      handle: (call) => showPayments(call, { scheduleId: call.params.id }, pageOf(call)),
    }),
    route({
      method: 'GET',
      path: '/api/v1/payments',
      summary: 'List payments',
      tag,
      operationId: 'listPayments',
      scope: 'payments',
      permission: 'read',
      description:
        'The newest first, unless sorted otherwise. Payments of a status or with an error code are found soonest when sorted by `due_date`.',
      query: Fields({ ...ListQuery.properties, ...SUM_QUERY, ...PAYMENT_FILTERS }),
      response: MoneyListOf(PaymentAnswer),
      errors: ['not_found'],
      handle: async (call) => {
        const match = await readMatch(platform, call, call.query.q);
        return showPayments(call, { ...readFilter(call.query), match }, pageOf(call));
      },
    }),
  ];
}

function singleRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/payments/:id',
      summary: 'Get a payment',
      description: 'With every attempt, and what the bank said of each.',
      tag,
      operationId: 'getPayment',
      scope: 'payments',
      permission: 'read',
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
        'It is tried at once, or on its due date where that is still to come. It does not count against `max_retries`, ' +
        'and no automatic retry follows it. Refused (`payment_not_retryable`) unless the payment has failed, its ' +
        'consent is in force and its schedule is not cancelled; while an earlier order may still be open at the bank; ' +
        'and while money that may belong to it has come. Refused (`limit_exceeded`) where the limits have no room for ' +
        'it: `details` has `available`, in pence, and `available_from`.',
      tag,
      operationId: 'retryPayment',
      scope: 'payments',
      permission: 'retry_payments',
      proof: 'never',
      params: IdParams,
      response: PaymentAnswer,
      errors: ['not_found', 'merchant_suspended', 'payment_not_retryable', 'limit_exceeded'],
      handle: (call) => retryPayment(call, call.params.id),
    }),
  ];
}
