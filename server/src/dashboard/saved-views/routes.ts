import Type from 'typebox';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { Fields, IdParams } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { addView, removeView, showViews } from './service.ts';
import { SavedView, SavedViewFields, SavedViewList } from './view.ts';

const tag = 'Dashboard';

/** Returns the routes of saved views: docs/rules/access.md#saved-views. */
export function savedViewRoutes(platform: Platform): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/views',
      summary: 'List the saved views of the lists',
      tag,
      operationId: 'listViews',
      scope: null,
      permission: 'read',
      response: SavedViewList,
      handle: (call) => showViews(platform, call),
    }),
    route({
      method: 'POST',
      path: '/api/views',
      summary: 'Save a view of a list for the team',
      description: 'One of the same list and name is replaced.',
      tag,
      operationId: 'saveView',
      scope: null,
      permission: 'manage_schedules',
      proof: 'never',
      body: Fields(SavedViewFields),
      response: SavedView,
      leavesWork: () => false,
      handle: (call) => addView(platform, call, call.body),
    }),
    route({
      method: 'DELETE',
      path: '/api/views/:id',
      summary: 'Delete a saved view',
      tag,
      operationId: 'deleteView',
      scope: null,
      permission: 'manage_schedules',
      proof: 'never',
      params: IdParams,
      response: Type.Object({ id: Type.String(), deleted: Type.Boolean() }),
      errors: ['not_found'],
      leavesWork: () => false,
      handle: async (call) => {
        await removeView(call, call.params.id);
        return { id: call.params.id, deleted: true };
      },
    }),
  ];
}
