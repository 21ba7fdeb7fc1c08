import type { CustomerDeps } from '../../customers/directory.ts';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { IdParams } from '../../platform/http/schemas/schemas.ts';
import { showDetail } from './detail.ts';
import { CustomerDetail } from './view.ts';

/** Returns the route that shows one of a merchant's customers. */
export function dashboardCustomerRoutes(deps: CustomerDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/customers/:id',
      summary: 'Get a customer',
      tag: 'Dashboard',
      operationId: 'getCustomerPage',
      scope: null,
      permission: 'read',
      params: IdParams,
      response: CustomerDetail,
      errors: ['not_found'],
      handle: (call) => showDetail(deps, call, call.params.id),
    }),
  ];
}
