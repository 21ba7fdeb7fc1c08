import { type Route, route } from '../../platform/http/calls/route.ts';
import { IdParams } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { listPayments, showEvidence } from './service.ts';
import { PaymentEvidence, PaymentList, PaymentQuery } from './view.ts';

/** The dependencies of the dashboard's payments. */
export interface PaymentDeps {
  platform: Platform;
  /** Returns a bank's name, or its id if it is no longer one of ours. */
  bankName(bankId: string): string;
}

const tag = 'Dashboard';

/** Returns the routes that list a merchant's payments and show their evidence. */
export function dashboardPaymentRoutes({ platform, bankName }: PaymentDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/payments',
      summary: 'Search the payments',
      description:
        '`q` is what the search of everything takes, an instruction id (`<payment>-a<n>`) or the bank’s id of a payment.',
      tag,
      operationId: 'searchPayments',
      scope: null,
      permission: 'read',
      query: PaymentQuery,
      response: PaymentList,
      handle: ({ tx, merchantId, query }) => listPayments(platform, tx, merchantId, query),
    }),
    route({
      method: 'GET',
      path: '/api/payments/:id/evidence',
      summary: 'Show what proves a payment',
      tag,
      operationId: 'getPaymentEvidence',
      scope: null,
      permission: 'read',
      params: IdParams,
      response: PaymentEvidence,
      errors: ['not_found'],
      handle: ({ tx, merchantId, params }) =>
        showEvidence(tx, merchantId, params.id, (bankId) => bankName(bankId)),
    }),
  ];
}
