import { type Route, route } from '../platform/http/calls/route.ts';
import { CREATED_SORTS, SearchQuery, SortBy, SpanOf } from '../platform/http/lists/list-filters.ts';
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
        'The newest first, unless sorted otherwise. A search finds the newest 10,000 at most, and `total` counts these.',
      tag,
      operationId: 'listCustomers',
      scope: 'customers',
      permission: 'read',
      query: Fields({
        ...ListQuery.properties,
        q: SearchQuery(
          'words of the name or their beginnings from three letters on, the email address or its words, the reference, ' +
            'a phone number or at least its last four digits, a sort code with an account number, or an id: of the customer, or of a schedule or payment of theirs',
        ),
        ...SpanOf('created_at'),
        sort: SortBy(CREATED_SORTS),
      }),
      response: ListOf(FullCustomerAnswer),
      handle: (call) => showCustomers(deps, call, call.query, pageOf(call)),
    }),
    route({
      method: 'GET',
      path: '/api/v1/customers/:id',
      summary: 'Get a customer',
      description: 'What you know of them, and the bank and account that they pay from, masked.',
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
      description:
        'Changes only the fields sent. The phone number and the account that identify a customer cannot be changed. Refused for a customer who was erased.',
      tag,
      operationId: 'updateCustomer',
      scope: 'customers',
      permission: 'manage_schedules',
      proof: 'never',
      params: IdParams,
      body: CustomerUpdate,
      response: FullCustomerAnswer,
      check: (body) => profileErrors(Object(body)),
      errors: ['not_found', 'customer_erased'],
      leavesWork: () => false,
      handle: (call) => updateCustomer(deps, call, call.params.id, readProfile({ ...call.body })),
    }),
  ];
}
