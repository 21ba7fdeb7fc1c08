import type { Tx } from '../../platform/db.ts';
import { notFound } from '../../platform/errors.ts';
import type { Route } from '../../platform/http/route.ts';
import { IdParams } from '../../platform/http/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  CustomerExportAnswer,
  ErasedCustomer,
  ErasureBody,
  ExportQuery,
  viewErased,
} from '../../privacy/schemas.ts';
import { eraseCustomer, exportCustomer } from '../../privacy/service.ts';
import { type CustomerRef, merchantOf } from '../../privacy/store.ts';
import { adminRouteApart } from '../admin/route.ts';

const tag = 'Customers';

/** The endpoints of customers' personal data: docs/rules/privacy.md. */
export function customerDataRoutes(platform: Platform): Route[] {
  return [
    adminRouteApart(platform, {
      method: 'POST',
      path: '/customers/:id/erase',
      summary: 'Erase a customer’s personal data',
      description:
        'Cannot be undone. Payments and ledger stay. Refused while something is under way.',
      tag,
      operationId: 'eraseCustomer',
      params: IdParams,
      body: ErasureBody,
      response: ErasedCustomer,
      errors: ['not_found', 'customer_in_use'],
      handle: ({ platform: own, now, params, body: { reason, metadata = false } }) =>
        own.db.transaction(async (tx) => {
          const erasure = { ...(await find(tx, params.id)), reason, metadata };
          return viewErased(params.id, await eraseCustomer(own, tx, now, erasure));
        }),
    }),
    adminRouteApart(platform, {
      method: 'GET',
      path: '/customers/:id/export',
      summary: 'Export what is held of a customer',
      description: 'Recorded in the activity.',
      tag,
      operationId: 'exportCustomer',
      params: IdParams,
      query: ExportQuery,
      response: CustomerExportAnswer,
      errors: ['not_found'],
      handle: ({ platform: own, now, params, query }) =>
        own.db.transaction(async (tx) =>
          exportCustomer(own, tx, now, { ...(await find(tx, params.id)), ...query }),
        ),
    }),
  ];
}

async function find(tx: Tx, customerId: string): Promise<CustomerRef> {
  const merchantId = await merchantOf(tx, customerId);
  if (merchantId === null) throw notFound('customer');
  return { merchantId, customerId };
}
