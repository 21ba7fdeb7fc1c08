import { type Route, route } from '../../platform/http/calls/route.ts';
import { pageOf } from '../../platform/http/lists/page.ts';
import { searchActivity } from './service.ts';
import { ActivityList, ActivityQuery } from './view.ts';

/** Returns the route of the activity log: what the team, its API keys, its customers and the operators changed. */
export function activityRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/activity',
      summary: 'List what people changed',
      tag: 'Dashboard',
      operationId: 'searchActivity',
      scope: null,
      permission: 'read',
      query: ActivityQuery,
      response: ActivityList,
      handle: (call) => searchActivity(call, call.query, pageOf(call)),
    }),
  ];
}
