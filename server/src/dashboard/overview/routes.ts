import Type from 'typebox';
import type { Tx } from '../../platform/db/db.ts';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { Fields } from '../../platform/http/schemas/schemas.ts';
import { readOverview } from './service.ts';
import { OverviewView } from './view.ts';

export interface OverviewDeps {
  merchantFacts(tx: Tx, merchantId: string): Promise<{ timeZone: string }>;
}

/** Returns the route of the dashboard's first page. */
export function overviewRoutes(deps: OverviewDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/overview',
      summary: 'Get how collections stand',
      tag: 'Dashboard',
      operationId: 'getOverview',
      scope: null,
      permission: 'read',
      query: Fields({
        days: Type.Integer({ minimum: 7, maximum: 90, default: 30, description: 'Up to today.' }),
      }),
      response: OverviewView,
      async handle(call) {
        const { timeZone } = await deps.merchantFacts(call.tx, call.merchantId);
        return readOverview({ ...call, timeZone }, call.query.days);
      },
    }),
  ];
}
