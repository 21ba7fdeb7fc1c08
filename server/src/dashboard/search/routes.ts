import Type from 'typebox';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { Fields } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { searchAll } from './service.ts';
import { Found } from './view.ts';

/** Returns the route that searches everything at once. */
export function searchRoutes({ platform }: { platform: Platform }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/search',
      summary: 'Search schedules, payments, customers and settlements',
      description:
        '`q` is beginnings of words of a description, of metadata or of a name (from three letters), the beginning of an id, an amount in pounds, a phone number or its last digits, an email, or a reference.',
      tag: 'Dashboard',
      operationId: 'searchAll',
      scope: null,
      permission: 'read',
      query: Fields({ q: Type.String({ maxLength: 255 }) }),
      response: Found,
      handle: (call) => searchAll(platform, call, call.query.q),
    }),
  ];
}
