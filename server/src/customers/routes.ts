import { type Route, route } from '../platform/http/calls/route.ts';
import {
  CREATED_SORTS,
  SearchQuery,
  SortBy,
  SPAN_QUERY,
} from '../platform/http/lists/list-filters.ts';
import { pageOf } from '../platform/http/lists/page.ts';
import { Fields, IdParams, ListOf, ListQuery } from '../platform/http/schemas/schemas.ts';
import { type CustomerDeps, showCustomer, showCustomers, updateCustomer } from './directory.ts';
import { profileErrors, readProfile } from './profile.ts';
import { CustomerUpdate, FullCustomerAnswer } from './schemas.ts';

const tag = 'Customers';

/** Returns the endpoints of customers; docs/rules/schedules.md#customers describes them. */
export function customerRoutes(deps: CustomerDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/customers',
      summary: 'List customers',
      description:
        '`q` is words of a name, an email, a reference, a phone number or its last digits, a sort code and account number, or an id: of the customer, or of a schedule or payment of theirs. `from` and `to` are of `created_at`.',
      tag,
      operationId: 'listCustomers',
      scope: 'customers',
      permission: 'read',
      query: Fields({
        ...ListQuery.properties,
        q: SearchQuery,
        ...SPAN_QUERY,
        sort: SortBy(CREATED_SORTS),
      }),
      response: ListOf(FullCustomerAnswer),
      handle: (call) => showCustomers(deps, call, call.query, pageOf(call)),
    }),
    route({
      method: 'GET',
      path: '/api/v1/customers/:id',
      summary: 'Get a customer',
      tag,
      operationId: 'getCustomer',
      scope: 'customers',
      permission: 'read',
      params: IdParams,
      response: FullCustomerAnswer,
      errors: ['not_found'],
      handle: (call) => showCustomer(deps, call, call.params.id),
    }),
    route({
      method: 'PUT',
      path: '/api/v1/customers/:id',
      summary: 'Update a customer',
      description: 'Only the fields sent are changed; null clears one.',
      tag,
      operationId: 'updateCustomer',
      scope: 'customers',
      permission: 'manage_schedules',
      proof: 'never',
      params: IdParams,
      body: CustomerUpdate,
      response: FullCustomerAnswer,
      check: (body) => profileErrors(Object(body)),
      errors: ['not_found'],
      leavesWork: () => false,
      handle: (call) => updateCustomer(deps, call, call.params.id, readProfile({ ...call.body })),
    }),
  ];
}
