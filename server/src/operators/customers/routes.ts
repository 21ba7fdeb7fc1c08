import Type from 'typebox';
import type { Tx } from '../../platform/db/db.ts';
import { Fields, Id, IdParams } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { notFound } from '../../platform/values/errors.ts';
import {
  CustomerExportAnswer,
  ErasedCustomer,
  ErasureBody,
  ExportQuery,
  viewErased,
} from '../../privacy/schemas.ts';
import { eraseCustomer, exportCustomer } from '../../privacy/service.ts';
import { type CustomerRef, type FoundCustomer, findCustomer } from '../../privacy/store.ts';
import { type AdminRoute, adminRoute, adminRouteWithOwnTransactions } from '../admin/route.ts';
import { findCustomersOfAll, searchDisclosures } from './find.ts';
import { CustomerView, FoundCustomersView } from './view.ts';

const tag = 'Customers';

const searchRoute = (platform: Platform): AdminRoute =>
  adminRouteWithOwnTransactions(platform, {
    method: 'GET',
    role: 'support',
    path: '/customers',
    summary: 'Find customers of all merchants',
    description:
      'By beginnings of the name from three letters on, the email address, the reference, a phone number or account, ' +
      'its last digits, or an id: of the customer, or of a schedule or payment of theirs. Shows ten at most. ' +
      'That it was made, and each customer shown, is recorded in the activity.',
    tag,
    operationId: 'findCustomers',
    command: 'customer find',
    query: Fields({
      q: Type.String({ minLength: 1, maxLength: 200, description: 'What finds the customer.' }),
      ...ExportQuery.properties,
      merchant_id: Type.Optional(Id('mer', 'Only customers of this merchant.')),
    }),
    response: FoundCustomersView,
    errors: ['not_found'],
    shows: (found, { query }) => searchDisclosures(found, query),
    handle: ({ platform: own, query: { q, merchant_id: merchantId = null } }) =>
      findCustomersOfAll(own, { q, merchantId }),
  });

/** The endpoints of customers' personal data: docs/rules/privacy.md. */
export function customerDataRoutes(platform: Platform): AdminRoute[] {
  return [
    searchRoute(platform),
    adminRoute({
      method: 'GET',
      role: 'auditor',
      path: '/customers/:id',
      summary: 'Find the merchant of a customer',
      description: 'Shows nothing that names the customer: an export does, with a reason.',
      tag,
      operationId: 'getCustomer',
      command: 'customer show',
      params: IdParams,
      response: CustomerView,
      errors: ['not_found'],
      handle: async ({ tx, params }) => view(params.id, await find(tx, params.id)),
    }),
    adminRouteWithOwnTransactions(platform, {
      method: 'POST',
      role: 'support',
      path: '/customers/:id/erase',
      summary: 'Erase a customer’s personal data',
      description:
        'Cannot be undone. Payments and ledger stay. Refused while something is under way.',
      tag,
      operationId: 'eraseCustomer',
      command: 'customer erase',
      params: IdParams,
      body: ErasureBody,
      response: ErasedCustomer,
      errors: ['not_found', 'customer_in_use'],
      handle: ({ platform: own, now, params, body: { reason, metadata = false } }) =>
        own.db.transaction(async (tx) => {
          const erasure = { ...(await refOf(tx, params.id)), reason, metadata };
          return viewErased(params.id, await eraseCustomer(own, tx, now, erasure));
        }),
    }),
    adminRouteWithOwnTransactions(platform, {
      method: 'GET',
      role: 'support',
      path: '/customers/:id/export',
      summary: 'Export what is held of a customer',
      description: 'Recorded in the activity.',
      tag,
      operationId: 'exportCustomer',
      command: 'customer export',
      shows: 'recorded',
      params: IdParams,
      query: ExportQuery,
      response: CustomerExportAnswer,
      errors: ['not_found'],
      handle: ({ platform: own, now, params, query }) =>
        own.db.transaction(async (tx) =>
          exportCustomer(own, tx, now, { ...(await refOf(tx, params.id)), ...query }),
        ),
    }),
  ];
}

async function find(tx: Tx, customerId: string): Promise<FoundCustomer> {
  const customer = await findCustomer(tx, customerId);
  if (customer === null) throw notFound('customer');
  return customer;
}

async function refOf(tx: Tx, customerId: string): Promise<CustomerRef> {
  const { merchantId } = await find(tx, customerId);
  return { merchantId, customerId };
}

const view = (id: string, customer: FoundCustomer): CustomerView => ({
  id,
  merchant_id: customer.merchantId,
  merchant_name: customer.merchantName,
  created_at: formatInstant(customer.createdAt),
  erased_at: formatInstant(customer.erasedAt),
});
