import type { CustomerDeps } from '../../customers/directory.ts';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { IdParams } from '../../platform/http/schemas/schemas.ts';
import { searchCustomers, showCustomer } from './service.ts';
import { CustomerDetail, CustomerList, CustomerQuery } from './view.ts';

const tag = 'Dashboard';

/** Returns the routes that list and show a merchant's customers. */
export function dashboardCustomerRoutes(deps: CustomerDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/customers',
      summary: 'Search the customers',
      description:
        '`q` is an id (of a customer, or of a schedule or payment of theirs), words of a name, an email, a reference, a phone number or its last digits, or a sort code and account number.',
      tag,
      operationId: 'searchCustomers',
      scope: null,
      permission: 'read',
      query: CustomerQuery,
      response: CustomerList,
      handle: ({ tx, merchantId, query }) => searchCustomers(deps, tx, merchantId, query),
    }),
    route({
      method: 'GET',
      path: '/api/customers/:id',
      summary: 'Get a customer',
      tag,
      operationId: 'getCustomerPage',
      scope: null,
      permission: 'read',
      params: IdParams,
      response: CustomerDetail,
      errors: ['not_found'],
      handle: ({ tx, merchantId, params }) => showCustomer(deps, tx, merchantId, params.id),
    }),
  ];
}
