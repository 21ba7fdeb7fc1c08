import { type Route, route } from '../../platform/http/calls/route.ts';
import { IdParams } from '../../platform/http/schemas/schemas.ts';
import { showEvidence } from './service.ts';
import { PaymentEvidence } from './view.ts';

/** The dependencies of the dashboard's payments. */
export interface PaymentDeps {
  /** Returns a bank's name, or its id if it is no longer one of ours. */
  bankName(bankId: string): string;
}

/** Returns the route that shows the evidence of a merchant's payment. */
export function dashboardPaymentRoutes({ bankName }: PaymentDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/payments/:id/evidence',
      summary: 'Show what proves a payment',
      tag: 'Dashboard',
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
