import { type Route, route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import { pageOf } from '../../platform/http/lists/page.ts';
import { IdParams, ListOf } from '../../platform/http/schemas/schemas.ts';
import type { Asked } from '../../platform/platform.ts';
import { notFound } from '../../platform/values/errors.ts';
import type { PreparedAct } from './act.ts';
import { commitAct } from './commit.ts';
import { approveAct, declineAct } from './decide.ts';
import type { ActDeps } from './deps.ts';
import { prepareAct } from './prepare.ts';
import { findAct, listActs } from './store.ts';
import { ActQuery, PreparedActAnswer, PrepareInput, viewAct, viewActs } from './view.ts';

const tag = 'Prepared acts';
const PATH = '/api/v1/prepared_acts';

/** Returns the endpoints by which an API key prepares and commits what moves money: docs/rules/agents.md. */
export function preparedActRoutes(deps: ActDeps): Route[] {
  return [prepareRoute(deps), commitRoute(deps), ...readRoutes()];
}

function prepareRoute(deps: ActDeps): Route {
  const { db } = deps.platform;
  return routeWithOwnTransactions({
    method: 'POST',
    path: PATH,
    summary: 'Prepare an act',
    description:
      'Tries what another endpoint would do, and changes nothing: what would be refused is refused now, with ' +
      'the errors of that ' +
      'endpoint. The response says what will happen, what it takes, and who else is asked; commit it within an hour. Preparing ' +
      'the same again returns the same act, also when it is done. Only for API keys, with the scope of that endpoint.',
    tag,
    operationId: 'prepareAct',
    scope: 'any',
    permission: 'read',
    proof: 'never',
    body: PrepareInput,
    response: PreparedActAnswer,
    errors: ['forbidden', 'not_found', 'act_done_already'],
    leavesWork: () => false,
    async handle(call) {
      const { operation, params, body, purpose = null } = call.body;
      const wanted = { operation, params, body, purpose: purpose?.trim() || null };
      const act = await prepareAct(deps, call, wanted);
      return db.forMerchant(call.merchantId, (tx) => viewAct({ ...call, tx }, act), {
        onlyReads: true,
      });
    },
  });
}

function commitRoute(deps: ActDeps): Route {
  return route({
    method: 'POST',
    path: `${PATH}/:id/commit`,
    summary: 'Commit a prepared act',
    description:
      'Does it, once: the id of the act is its idempotency key, so repeat it as often as no response came, with or without an ' +
      '`Idempotency-Key`. Beyond the limits of the key it waits until a member of the team approves it in the ' +
      'dashboard; commit ' +
      'it again, or read it, to see its outcome. Refused (`act_outdated`) where what it is about has changed, and with the ' +
      'errors of the endpoint that does it.',
    tag,
    operationId: 'commitAct',
    scope: 'any',
    permission: 'read',
    proof: 'never',
    params: IdParams,
    response: PreparedActAnswer,
    errors: ['forbidden', 'not_found', 'act_outdated', 'act_over'],
    leavesWork: ({ status }) => status === 'done',
    handle: async (call) => viewAct(call, await commitAct(deps, call, call.params.id)),
  });
}

/** A key sees its own acts, a member those of every key. */
const keyOf = ({ actorId, key }: { actorId: string; key?: unknown }): string | undefined =>
  key === undefined ? undefined : actorId;

function readRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      summary: 'List prepared acts',
      description: 'Those of the API key that asks, the newest first. They are kept for 90 days.',
      tag,
      operationId: 'listPreparedActs',
      scope: 'any',
      permission: 'read',
      query: ActQuery,
      response: ListOf(PreparedActAnswer),
      async handle(call) {
        const { tx, merchantId, query } = call;
        const status = query.status === 'waiting_for_approval' ? 'waiting' : query.status;
        const page = pageOf(call);
        const found = await listActs(tx, merchantId, { keyId: keyOf(call), status }, page);
        return { ...found, data: await viewActs(call, found.data) };
      },
    }),
    route({
      method: 'GET',
      path: `${PATH}/:id`,
      summary: 'Get a prepared act',
      description: 'As it is now, and what it has made.',
      tag,
      operationId: 'getPreparedAct',
      scope: 'any',
      permission: 'read',
      params: IdParams,
      response: PreparedActAnswer,
      errors: ['not_found'],
      async handle(call) {
        const act = await findAct(call.tx, call.merchantId, call.params.id);
        const keyId = keyOf(call);
        if (act === null || (keyId !== undefined && act.keyId !== keyId))
          throw notFound('prepared act');
        return viewAct(call, act);
      },
    }),
  ];
}

/** Returns the endpoints by which members of the team decide what waits: of the dashboard alone. */
export function approvalRoutes(deps: ActDeps): Route[] {
  const answer = (call: Asked) => (act: PreparedAct) => viewAct(call, act);
  return [
    route({
      method: 'POST',
      path: '/api/prepared_acts/:id/approve',
      summary: 'Approve an act that waits, and do it',
      tag,
      operationId: 'approveAct',
      scope: null,
      permission: 'manage_schedules',
      proof: 'always',
      params: IdParams,
      response: PreparedActAnswer,
      errors: ['not_found', 'forbidden', 'act_outdated', 'act_over'],
      handle: (call) => approveAct(deps, call, call.params.id).then(answer(call)),
    }),
    route({
      method: 'POST',
      path: '/api/prepared_acts/:id/decline',
      summary: 'Decline an act that waits, for good',
      tag,
      operationId: 'declineAct',
      scope: null,
      permission: 'manage_schedules',
      proof: 'never',
      params: IdParams,
      response: PreparedActAnswer,
      errors: ['not_found', 'forbidden', 'act_over'],
      leavesWork: () => false,
      handle: (call) => declineAct(deps, call, call.params.id).then(answer(call)),
    }),
  ];
}
