import { type Route, routeWithOwnTransactions } from '../platform/http/calls/route.ts';
import { IdParams } from '../platform/http/schemas/schemas.ts';
import type { Platform } from '../platform/platform.ts';
import { actorOf } from '../platform/state/actor.ts';
import {
  CustomerExportAnswer,
  ErasedCustomer,
  ErasureBody,
  ExportQuery,
  viewErased,
} from './schemas.ts';
import { eraseCustomer, exportCustomer } from './service.ts';

const tag = 'Customers';

/**
 * The endpoints of a customer's personal data: docs/rules/privacy.md. Each has a transaction of its own under the engine's role,
 * because the data lie in rows that the API's role may not change; every statement names the caller's merchant.
 */
export function privacyRoutes(platform: Platform): Route[] {
  const { db } = platform;
  return [
    routeWithOwnTransactions({
      method: 'POST',
      path: '/api/v1/customers/:id/erase',
      summary: 'Erase a customer’s personal data',
      description:
        'Cannot be undone. Payments, refunds and settlements stay, under an id that names nobody; the same phone number ' +
        'or account creates a new customer from then on. Refused while something is under way, such as a schedule that ' +
        'is not cancelled or money that is not settled: `details` counts what it is. The API key must have been made by ' +
        'an owner or by the operator.',
      tag,
      operationId: 'eraseCustomer',
      scope: 'customers',
      permission: 'manage_personal_data',
      proof: 'never',
      params: IdParams,
      body: ErasureBody,
      response: ErasedCustomer,
      errors: ['not_found', 'customer_in_use'],
      leavesWork: () => false,
      async handle({ params, body, merchantId, actorId, agent, now }) {
        const { reason, metadata = false } = body;
        const erasure = { merchantId, customerId: params.id, reason, metadata };
        const erasedAt = await db.transaction((tx) => eraseCustomer(platform, tx, now, erasure), {
          actor: actorOf(actorId, agent),
        });
        return viewErased(params.id, erasedAt);
      },
    }),
    routeWithOwnTransactions({
      method: 'GET',
      path: '/api/v1/customers/:id/export',
      summary: 'Export what is held of a customer',
      description:
        'For a person who asks what is held of them. It is recorded in the activity. The API key must have been made by an owner or by the operator.',
      tag,
      operationId: 'exportCustomer',
      scope: 'customers',
      permission: 'manage_personal_data',
      params: IdParams,
      query: ExportQuery,
      response: CustomerExportAnswer,
      errors: ['not_found'],
      handle({ params, query, merchantId, actorId, agent, now }) {
        const asked = { merchantId, customerId: params.id, reason: query.reason };
        return db.transaction((tx) => exportCustomer(platform, tx, now, asked), {
          actor: actorOf(actorId, agent),
        });
      },
    }),
  ];
}
