import Type from 'typebox';
import { type Route, route } from '../platform/http/calls/route.ts';
import {
  AMOUNT_QUERY,
  CREATED_SORTS,
  IdQuery,
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
  Reason,
  SUM_QUERY,
} from '../platform/http/schemas/schemas.ts';
import { DISPUTE_REASONS, DISPUTE_STATUSES } from './dispute.ts';
import {
  type DisputeDeps,
  openDispute,
  refundDispute,
  rejectDispute,
  showDispute,
  showDisputes,
  withdrawDispute,
} from './service.ts';
import { DisputeAnswer, REASONS_DESCRIBED } from './view.ts';

const tag = 'Disputes';
/** The longest note or answer. */
export const LONGEST_TEXT = 500;

/** The endpoints of disputes, described in docs/rules/disputes.md. */
export function disputeRoutes(deps: DisputeDeps): Route[] {
  return [openRoute(deps), ...readRoutes(deps), ...endRoutes(deps)];
}

const SHARED = { tag, scope: 'payments' } as const;
const CHANGING = { ...SHARED, permission: 'refund_payments', proof: 'never' } as const;

function openRoute(deps: DisputeDeps): Route {
  return route({
    ...CHANGING,
    method: 'POST',
    path: '/api/v1/payments/:id/disputes',
    summary: 'Dispute a payment',
    description:
      'For a customer who does not recognise a payment, or does not agree with it. It has to be answered ' +
      'by its `deadline`: the end of the next business day where they did not authorise it, else of the fifteenth. Refused ' +
      'unless the payment has succeeded and has something left to give back, and while another dispute of it is open or has ' +
      'given money back. The customer can raise one on their own page too.',
    operationId: 'createDispute',
    params: IdParams,
    body: Fields(
      {
        reason: OneOf(DISPUTE_REASONS, REASONS_DESCRIBED),
        amount: Type.Optional(
          Described(Amount, 'How much is disputed. Default: what the payment has not given back.'),
        ),
        note: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: LONGEST_TEXT,
            description: 'What the customer said about it.',
          }),
        ),
      },
      'A new dispute.',
    ),
    response: DisputeAnswer,
    errors: ['not_found', 'payment_not_disputable', 'payment_disputed'],
    handle: (call) =>
      openDispute(deps, call, call.params.id, { ...call.body, raisedBy: 'merchant' }),
  });
}

function readRoutes({ platform }: DisputeDeps): Route[] {
  return [
    route({
      ...SHARED,
      method: 'GET',
      path: '/api/v1/disputes',
      summary: 'List disputes',
      description: 'Those of all payments, the newest first, unless sorted otherwise.',
      operationId: 'listDisputes',
      permission: 'read',
      query: Fields({
        ...ListQuery.properties,
        ...SUM_QUERY,
        status: Type.Optional(OneOf(DISPUTE_STATUSES, 'Only disputes in this status.')),
        reason: Type.Optional(OneOf(DISPUTE_REASONS, 'Only disputes for this reason.')),
        payment_id: IdQuery('Only disputes of this payment.'),
        ...SpanOf('created_at'),
        ...AMOUNT_QUERY,
        sort: SortBy(CREATED_SORTS),
      }),
      response: MoneyListOf(DisputeAnswer),
      errors: ['not_found'],
      handle: (call) => {
        const { status, reason, sort, payment_id: paymentId } = call.query;
        const filter = { status, reason, sort, paymentId };
        const all = { ...filter, ...readSpan(call.query), ...readAmounts(call.query) };
        return showDisputes(platform, call, all, pageOf(call));
      },
    }),
    route({
      ...SHARED,
      method: 'GET',
      path: '/api/v1/disputes/:id',
      summary: 'Get a dispute',
      description: 'As it stands: a refunded one is open again if its refund fails or comes back.',
      operationId: 'getDispute',
      permission: 'read',
      params: IdParams,
      response: DisputeAnswer,
      errors: ['not_found'],
      handle: (call) => showDispute(platform, call, call.params.id),
    }),
  ];
}

function endRoutes(deps: DisputeDeps): Route[] {
  const ending = {
    ...CHANGING,
    method: 'POST',
    params: IdParams,
    response: DisputeAnswer,
  } as const;
  return [
    route({
      ...ending,
      path: '/api/v1/disputes/:id/refund',
      summary: 'Refund a dispute',
      description:
        'Gives back what it asks for, or less, and ends it, in one act. It is a refund as any other: to the account that paid, ' +
        'out of your wallet. Where that has less, the refund waits for the next collections, up to 30 days, whatever your ' +
        'setting `refunds_wait`: meanwhile the dispute is open, and `refund_id` names the refund. What was refunded or taken ' +
        'back by the customer’s bank since it was opened is not paid again: where nothing is left, it ends without a ' +
        'refund. Repeat it with the same `Idempotency-Key`.',
      operationId: 'refundDispute',
      body: Fields(
        {
          amount: Type.Optional(
            Described(Amount, 'How much to give back. Default: what it still asks for (`left`).'),
          ),
        },
        'What a dispute gives back.',
      ),
      errors: ['not_found', 'dispute_ended', 'refund_exceeds_payment', 'dispute_refund_waits'],
      handle: (call) => refundDispute(deps, call, call.params.id, call.body),
    }),
    route({
      ...ending,
      path: '/api/v1/disputes/:id/reject',
      summary: 'Reject a dispute',
      description:
        'Ends it without money, and stops a refund of it that waits. The customer is sent your answer.',
      operationId: 'rejectDispute',
      body: Fields(
        { answer: Reason('Why nothing is due, as the customer reads it.') },
        'The answer to a dispute.',
      ),
      errors: ['not_found', 'dispute_ended'],
      handle: (call) => rejectDispute(deps, call, call.params.id, call.body.answer),
    }),
    route({
      ...ending,
      path: '/api/v1/disputes/:id/withdraw',
      summary: 'Withdraw a dispute',
      description:
        'For one that you raised by mistake. Ends it without money, and stops a refund of it that waits. One that the customer ' +
        'raised is 409 `dispute_not_yours`: they take it back on their page, or you reject it with an answer.',
      operationId: 'withdrawDispute',
      errors: ['not_found', 'dispute_ended', 'dispute_not_yours'],
      handle: (call) => withdrawDispute(deps, call, call.params.id, 'merchant'),
    }),
  ];
}
