import type { FastifyInstance } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { realNow } from '../platform/clock.ts';
import { type Authenticate, callerOf, identify, refuseStrangers } from '../platform/http/auth.ts';
import { inputsOf, type RawInputs, refuseUnstorable } from '../platform/http/inputs.ts';
import { documented } from '../platform/http/openapi.ts';
import type { Caller, Method, Route } from '../platform/http/route.ts';

/** An authenticated call that reaches out: it is given no transaction, because it may take long. */
export interface OutsideCall<P, B> {
  caller: Caller;
  params: P;
  body: B;
}

/** An endpoint as the API's own are, but for the transaction. */
export interface OutsideRoute extends Omit<Route, 'handle'> {
  handle(call: OutsideCall<unknown, unknown>): Promise<unknown>;
}

/** Types an endpoint: its handler sees what its schemas say. */
export function outsideRoute<P extends TSchema, B extends TSchema, R extends TSchema>(
  definition: Omit<OutsideRoute, 'handle' | 'params' | 'body' | 'response'> & {
    method: Method;
    params?: P;
    body?: B;
    response: R;
    handle(call: OutsideCall<Static<P>, Static<B>>): Promise<Static<R>>;
  },
): OutsideRoute {
  return definition;
}

const TAG = 'Sandbox';

/** What the platform's own makers ask of a route; this one is never called. */
function asRoute(route: OutsideRoute): Route {
  return {
    ...route,
    handle: () => Promise.reject(new Error('a route of the sandbox has no transaction')),
  };
}

/**
 * Adds the endpoints to a scope of their own: JSON only, the API's keys, its errors and its
 * documentation.
 */
export async function mountOutsideRoutes(
  app: FastifyInstance,
  authenticate: Authenticate,
  routes: readonly OutsideRoute[],
): Promise<void> {
  await app.register(async (scope) => {
    const parse = scope.getDefaultJsonParser('error', 'error');
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
      if (text.length === 0) done(null, undefined);
      else void parse(request, String(text), done);
    });
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    for (const route of routes) mount(scope, authenticate, route);
  });
}

function mount(scope: FastifyInstance, authenticate: Authenticate, route: OutsideRoute): void {
  const read = inputsOf(asRoute(route));
  const { headers: _keyed, ...schema } = documented(asRoute({ ...route, tag: TAG })) as Record<
    string,
    unknown
  >;
  scope.route({
    method: route.method,
    url: route.path,
    schema, // these take no Idempotency-Key
    onRequest: [identify(authenticate), refuseStrangers],
    handler: async (request, reply) => {
      const raw: RawInputs = {
        params: request.params,
        query: request.query as object,
        body: request.body,
      };
      refuseUnstorable(raw);
      const { params, body } = read(raw, realNow());
      const result = await route.handle({ caller: callerOf(request), params, body });
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(result));
    },
  });
}
