import Type from 'typebox';
import { mapList, pageOf } from '../../platform/http/lists/page.ts';
import { Fields, IdParams, ListOf, ListQuery, OneOf } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound } from '../../platform/values/errors.ts';
import { actingOperator } from '../access/acting.ts';
import { ADMIN_REASON, type AdminRoute, adminRoute } from '../admin/route.ts';
import { agreeWith, withdraw } from './service.ts';
import { findRequest, listRequests } from './store.ts';
import { RequestView, viewRequest } from './view.ts';

const tag = 'Requests';

/** The endpoints of what takes two operators. */
export function requestRoutes(platform: Platform): AdminRoute[] {
  return [
    ...readRoutes(platform),
    ...DECISIONS.map((decision) => decisionRoute(platform, decision)),
  ];
}

const readRoutes = (platform: Platform): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/requests',
    summary: 'List what takes two operators, newest first',
    tag,
    operationId: 'listRequests',
    command: 'request list',
    query: Fields({
      ...ListQuery.properties,
      status: Type.Optional(OneOf(['waiting', 'all'], 'Default: `waiting`.')),
    }),
    response: ListOf(RequestView),
    async handle(call) {
      const which = { onlyWaiting: call.query.status !== 'all', now: call.now };
      return mapList(await listRequests(call.tx, platform.vault, which, pageOf(call)), viewRequest);
    },
  }),
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/requests/:id',
    summary: 'Read a request',
    tag,
    operationId: 'getRequest',
    command: 'request show',
    params: IdParams,
    response: RequestView,
    errors: ['not_found'],
    async handle({ tx, params }) {
      const request = await findRequest(tx, platform.vault, params.id);
      if (request === null) throw notFound('request');
      return viewRequest(request);
    },
  }),
];

const DECISIONS = [
  {
    verb: 'agree',
    operationId: 'agreeRequest',
    command: 'request agree',
    summary: 'Agree with a request as a second operator, which does it',
    description:
      'Takes the role of the request. Whoever asked, whom they let in or who let them in, and newcomers are refused.',
    decide: agreeWith,
  },
  {
    verb: 'take_back',
    operationId: 'takeBackRequest',
    command: 'request take-back',
    summary: 'Take back a request that waits',
    description: 'Whoever asked may, and every operator with the role of the request.',
    decide: withdraw,
  },
] as const;

const decisionRoute = (
  platform: Platform,
  { decide, verb, ...words }: (typeof DECISIONS)[number],
): AdminRoute =>
  adminRoute({
    method: 'POST',
    role: 'auditor',
    path: `/requests/:id/${verb}`,
    ...words,
    tag,
    params: IdParams,
    body: Fields({ reason: ADMIN_REASON }),
    response: RequestView,
    errors: ['not_found', 'operation_refused'],
    handle: async ({ tx, now, operator, params, body }) =>
      viewRequest(
        await decide({ platform, tx, now }, actingOperator(operator), params.id, body.reason),
      ),
  });
