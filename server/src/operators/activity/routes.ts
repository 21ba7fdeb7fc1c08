import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { inputsOf, refuseUnstorable } from '../../platform/http/calls/inputs.ts';
import { IdQuery, readSpan, SPAN_QUERY } from '../../platform/http/lists/list-filters.ts';
import type { Guard } from '../../platform/http/mount.ts';
import {
  Fields,
  Instant,
  ListOf,
  ListQuery,
  NamedObject,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { readActor, WHOLE_SERVICE } from '../../platform/state/actor.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { toCsv } from '../../platform/values/csv.ts';
import { ADMIN, type AdminRoute, adminRoute } from '../admin/route.ts';
import { type Change, type ChangeFilter, countChanges, listChanges } from './store.ts';

/** A longer file is of no use in a spreadsheet: filter by time. */
const MOST_ROWS = 100_000;

const ChangeView = NamedObject('OperatorChange', {
  at: Instant,
  operator: Type.String(),
  action: Type.String({ examples: ['suspended'], description: 'The new state of the object.' }),
  object_id: Type.String({ description: 'A merchant, payment, bank, key …' }),
  merchant_id: OrNull(Type.String({ description: 'Null: it is about the whole service.' })),
  from: OrNull(Type.String({ description: 'The state before, where there was one.' })),
  reason: Type.String(),
});

const filters = {
  operator: Type.Optional(Type.String({ maxLength: 100, description: 'The name of an operator.' })),
  action: IdQuery,
  object_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  merchant_id: IdQuery,
  ...SPAN_QUERY,
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

const viewChange = (change: Change): Static<typeof ChangeView> => ({
  at: formatInstant(change.at),
  operator: readActor(change.actor).name,
  action: change.toState,
  object_id: change.objectId,
  merchant_id: change.merchantId === WHOLE_SERVICE ? null : change.merchantId,
  from: change.fromState,
  reason: change.reason,
});

/** The endpoint of what operators changed, and of what was done on the machine itself. */
export const activityRoutes = (): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/activity',
    summary: 'List what operators changed, newest first',
    description: 'The same as a file, without `limit` and `offset`: `/admin/v1/activity/csv`.',
    tag: 'Activity',
    operationId: 'listActivity',
    command: 'activity list',
    query: Fields({ ...ListQuery.properties, ...filters }),
    response: ListOf(ChangeView),
    async handle({ tx, query: { limit, offset, ...query } }) {
      const filter = filterOf(query);
      const [changes, total] = await Promise.all([
        listChanges(tx, filter, { limit, offset }),
        countChanges(tx, filter),
      ]);
      return { data: changes.map(viewChange), total };
    },
  }),
];

const COLUMNS = ['at', 'operator', 'action', 'object_id', 'merchant_id', 'from', 'reason'];

/** Adds the activity log as a file. Cells that a spreadsheet would read as a formula begin with an apostrophe. */
export function addActivityFile(
  app: FastifyInstance,
  platform: Platform,
  onRequest: readonly Guard[],
): void {
  const read = inputsOf({
    method: 'GET',
    path: '',
    summary: '',
    tag: '',
    operationId: 'exportActivity',
    scope: null,
    permission: null,
    query: Filters,
    response: Type.Object({}),
    handle: async () => undefined,
  });
  app.get(
    `${ADMIN}/activity/csv`,
    { schema: { hide: true }, config: { limitedBy: 'caller' }, onRequest: [...onRequest] },
    async (request, reply) => {
      const now = platform.clock.now();
      const raw = { params: {}, query: request.query as object, body: undefined };
      refuseUnstorable(raw);
      const filter = filterOf(read(raw, now).query as Static<typeof Filters>);
      const page = { limit: MOST_ROWS, offset: 0 };
      const changes = await platform.db.read((tx) => listChanges(tx, filter, page));
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
