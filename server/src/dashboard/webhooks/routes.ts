import { type Route, route } from '../../platform/http/calls/route.ts';
import { IdParams } from '../../platform/http/schemas/schemas.ts';
import { readActivity } from './service.ts';
import { EndpointActivity } from './view.ts';

/** Returns the route that shows how an endpoint has answered lately. */
export function dashboardWebhookRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/webhook_endpoints/:id/activity',
      summary: 'Show how an endpoint has answered lately',
      tag: 'Dashboard',
      operationId: 'getEndpointActivity',
      scope: null,
      permission: 'read',
      params: IdParams,
      response: EndpointActivity,
      errors: ['not_found'],
      handle: (call) => readActivity(call, call.params.id),
    }),
  ];
}
