import Type from 'typebox';
import { type Route, route } from '../../platform/http/route.ts';
import { Fields, IdParams, InstantInput, OneOf } from '../../platform/http/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { CURSOR_QUERY } from '../cursor-list.ts';
import { listPayments, showEvidence } from './service.ts';
import { PAYMENT_STATUSES, PaymentEvidence, PaymentList } from './view.ts';

/** The dependencies of the dashboard's payments. */
export interface PaymentDeps {
  platform: Platform;
  /** Returns a bank's name, or its id if it is no longer one of ours. */
  bankName(bankId: string): string;
}

const tag = 'Dashboard';
const Id = Type.Optional(Type.String({ maxLength: 255 }));

/** Returns the routes that list a merchant's payments and show their evidence. */
export function dashboardPaymentRoutes({ platform, bankName }: PaymentDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/payments',
      summary: 'Search the payments',
      description:
        '`search` is the id of a payment or of a schedule, an instruction id (`<payment>-a<n>`) or the bank’s id of a payment.',
      tag,
      operationId: 'searchPayments',
      query: Fields({
        search: Id,
        status: Type.Optional(OneOf(PAYMENT_STATUSES)),
        schedule_id: Id,
        customer_id: Id,
        reason: Type.Optional(
          Type.String({ maxLength: 64, description: 'An error code of payments that failed.' }),
        ),
        from: Type.Optional(InstantInput),
        to: Type.Optional(InstantInput),
        ...CURSOR_QUERY,
      }),
      response: PaymentList,
      handle: ({ tx, merchantId, query }) => listPayments(platform, tx, merchantId, query),
    }),
    route({
      method: 'GET',
      path: '/api/payments/:id/evidence',
      summary: 'Show what proves a payment',
      tag,
      operationId: 'getPaymentEvidence',
      params: IdParams,
      response: PaymentEvidence,
      errors: ['not_found'],
      handle: ({ tx, merchantId, params }) =>
        showEvidence(tx, merchantId, params.id, (bankId) => bankName(bankId)),
    }),
  ];
}
