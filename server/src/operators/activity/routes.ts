import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { inputsOf, refuseUnstorable } from '../../platform/http/calls/inputs.ts';
import { IdQuery, readSpan, SpanOf } from '../../platform/http/lists/list-filters.ts';
import { firstPage, mapList, pageOf } from '../../platform/http/lists/page.ts';
import type { Guard } from '../../platform/http/mount.ts';
import { Fields, ListOf, ListQuery } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { toCsv } from '../../platform/values/csv.ts';
import { ADMIN, type AdminRoute, adminRoute } from '../admin/route.ts';
import { type ChangeFilter, listChanges } from './store.ts';
import { ChangeView, viewChange } from './view.ts';

/** A longer file is of no use in a spreadsheet: filter by time. */
const MAX_ROWS = 100_000;

const filters = {
  operator: Type.Optional(Type.String({ maxLength: 100, description: 'The name of an operator.' })),
  action: IdQuery('Only acts of this kind.'),
  object_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  merchant_id: IdQuery('Only acts on this merchant.'),
  ...SpanOf('at'),
};
const Filters = Fields(filters);

const filterOf = ({
  operator,
  action,
  object_id: objectId,
  merchant_id: merchantId,
  ...span
}: Static<typeof Filters>): ChangeFilter => ({
  ...(operator && { operator }),
  ...(action && { action }),
  ...(objectId && { objectId }),
  ...(merchantId && { merchantId }),
  ...readSpan(span),
});

/** The endpoint of what operators changed and looked at, and of what was done on the machine itself. */
export const activityRoutes = (): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/activity',
    summary: 'List what operators changed and which personal data they read, newest first',
    description: 'The same as a file, without `limit` and `offset`: `/admin/v1/activity/csv`.',
    tag: 'Activity',
    operationId: 'listActivity',
    command: 'activity list',
    query: Fields({ ...ListQuery.properties, ...filters }),
    response: ListOf(ChangeView),
    handle: async (call) =>
      mapList(await listChanges(call.tx, filterOf(call.query), pageOf(call)), viewChange),
  }),
];

const COLUMNS = ['at', 'operator', 'action', 'object_id', 'merchant_id', 'from', 'reason'];

/** Adds the activity log as a file. Cells that a spreadsheet would read as a formula begin with an apostrophe. */
export function addActivityFile(
  app: FastifyInstance,
  platform: Platform,
  onRequest: readonly Guard[],
): void {
  const read = inputsOf({ query: Filters });
  app.get(
    `${ADMIN}/activity/csv`,
    { schema: { hide: true }, config: { limitedBy: 'caller' }, onRequest: [...onRequest] },
    async (request, reply) => {
      const now = platform.clock.now();
      const raw = { params: {}, query: request.query as object, body: undefined };
      refuseUnstorable(raw);
      const filter = filterOf(read(raw, now).query as Static<typeof Filters>);
      const page = firstPage(MAX_ROWS);
      const { data: changes } = await platform.db.read((tx) => listChanges(tx, filter, page));
      const name = `activity-${now.toString().slice(0, 10)}.csv`;
      return reply
        .headers({
          'cache-control': 'no-store',
          'content-disposition': `attachment; filename="${name}"`,
        })
        .type('text/csv; charset=utf-8')
        .send(toCsv(changes.map(viewChange), { columns: COLUMNS }));
    },
  );
}
