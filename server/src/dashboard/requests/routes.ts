import { type Route, route } from '../../platform/http/calls/route.ts';
import { pageOf } from '../../platform/http/lists/page.ts';
import { IdParams } from '../../platform/http/schemas/schemas.ts';
import { searchRequests, showRequest } from './service.ts';
import { RequestDetail, RequestList, RequestQuery } from './view.ts';

const tag = 'Dashboard';

/** Returns the routes of the request log: a merchant's API requests of the last 7 days, and the responses. */
export function requestRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/requests',
      summary: 'List the requests of the last days',
      tag,
      operationId: 'searchRequests',
      scope: null,
      permission: 'read_requests',
      query: RequestQuery,
      response: RequestList,
      handle: (call) => searchRequests(call, call.query, pageOf(call)),
    }),
    route({
      method: 'GET',
      path: '/api/requests/:id',
      summary: 'Get a request with its bodies',
      tag,
      operationId: 'getRequest',
      scope: null,
      permission: 'read_requests',
      params: IdParams,
      response: RequestDetail,
      errors: ['not_found'],
      handle: ({ tx, merchantId, params }) => showRequest(tx, merchantId, params.id),
    }),
  ];
}
