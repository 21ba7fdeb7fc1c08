import Type from 'typebox';
import { type Route, route } from '../../platform/http/route.ts';
import { Fields, IdParams, OneOf } from '../../platform/http/schemas.ts';
import { CURSOR_QUERY } from '../cursor-list.ts';
import { searchRequests, showRequest } from './service.ts';
import { RequestDetail, RequestList } from './view.ts';

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
      query: Fields({
        outcome: Type.Unsafe<'errors' | 'all'>({
          ...OneOf(['errors', 'all'] as const),
          default: 'all',
        }),
        method: Type.Optional(OneOf(['GET', 'POST', 'PUT', 'DELETE'] as const)),
        path: Type.Optional(
          Type.String({ minLength: 1, maxLength: 255, description: 'The beginning of the path.' }),
        ),
        ...CURSOR_QUERY,
      }),
      response: RequestList,
      handle: ({ tx, merchantId, query }) => searchRequests(tx, merchantId, query),
    }),
    route({
      method: 'GET',
      path: '/api/requests/:id',
      summary: 'Get a request with its bodies',
      tag,
      operationId: 'getRequest',
      params: IdParams,
      response: RequestDetail,
      errors: ['not_found'],
      handle: ({ tx, merchantId, params }) => showRequest(tx, merchantId, params.id),
    }),
  ];
}
