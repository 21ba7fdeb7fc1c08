import Type from 'typebox';
import { type Route, route } from '../../platform/http/route.ts';
import { Fields, InstantInput, OneOf } from '../../platform/http/schemas.ts';
import { CURSOR_QUERY } from '../cursor-list.ts';
import { searchActivity } from './service.ts';
import { ACTORS, ActivityList } from './view.ts';
import { SUBJECT_NAMES } from './words.ts';

/** Returns the route of the activity log: what the team, its API keys, its customers and the operators changed. */
export function activityRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/activity',
      summary: 'List what people changed',
      tag: 'Dashboard',
      operationId: 'searchActivity',
      query: Fields({
        actor_type: Type.Optional(OneOf(ACTORS)),
        actor_id: Type.Optional(Type.String({ maxLength: 64 })),
        subject: Type.Optional(OneOf(SUBJECT_NAMES)),
        from: Type.Optional(InstantInput),
        to: Type.Optional(InstantInput),
        ...CURSOR_QUERY,
      }),
      response: ActivityList,
      handle: ({ tx, merchantId, query }) => searchActivity(tx, merchantId, query),
    }),
  ];
}
