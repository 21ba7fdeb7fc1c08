import Type from 'typebox';
import { listWaiting } from '../../payments/books/waiting-store.ts';
import { type GiveUpDeps, giveUpPayment } from '../../payments/operator/give-up.ts';
import { pageOf, slicePage } from '../../platform/http/lists/page.ts';
import {
  Fields,
  Id,
  IdParams,
  ListOf,
  ListQuery,
  NamedObject,
  OneOf,
} from '../../platform/http/schemas/schemas.ts';
import {
  ADMIN_REASON,
  type AdminRoute,
  adminRoute,
  adminRouteWithOwnTransactions,
} from '../admin/route.ts';

import { WaitingView } from './view.ts';

const tag = 'Payments';
/** More than this wait only when a whole bank is silent; the metrics count them. */
const MAX_WAITING = 1_000;

/** The endpoints of payments that cannot end without a person. */
export function paymentRoutes(deps: GiveUpDeps): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      role: 'auditor',
      path: '/payments/waiting',
      summary: 'List payments that need an operator, oldest first',
      description: `At most ${MAX_WAITING} are listed.`,
      tag,
      operationId: 'listWaitingPayments',
      command: 'payment waiting',
      query: ListQuery,
      response: ListOf(WaitingView),
      async handle(call) {
        const waiting = await listWaiting(call.tx, call.now, MAX_WAITING);
        return slicePage('waiting', waiting, pageOf(call), (payment) => payment.payment_id);
      },
    }),
    adminRouteWithOwnTransactions(deps.platform, {
      method: 'POST',
      role: 'payments',
      path: '/payments/:id/fail',
      summary: 'Mark a payment as failed whose outcome stays unknown',
      description:
        'The bank and the issuer are asked first, where they can be. Money that comes after all is booked as usual.',
      tag,
      operationId: 'failPayment',
      command: 'payment fail',
      params: IdParams,
      body: Fields({
        reason: ADMIN_REASON,
        evidence: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 500,
            description: 'What proves the end of a payment that the bank reports as open.',
          }),
        ),
        bank_is_silent: Type.Optional(
          Type.Boolean({ description: 'The bank no longer responds about this payment.' }),
        ),
      }),
      response: NamedObject('FailedPayment', {
        payment_id: Id('pay'),
        status: OneOf(['pending', 'processing', 'success', 'failed'], 'What it is now.'),
      }),
      async handle({ platform, operator, params, body }) {
        const { reason, evidence, bank_is_silent: bankIsSilent = false } = body;
        const word = { by: operator.name, reason, bankIsSilent, ...(evidence && { evidence }) };
        const status = await giveUpPayment({ ...deps, platform }, params.id, word);
        return { payment_id: params.id, status };
      },
    }),
  ];
}
