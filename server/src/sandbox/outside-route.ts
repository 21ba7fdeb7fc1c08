import type { FastifyInstance } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { realNow } from '../platform/clock.ts';
import { type Authenticate, callerOf, identify, refuseStrangers } from '../platform/http/auth.ts';
import { inputsOf, type RawInputs, refuseUnstorable } from '../platform/http/inputs.ts';
import { type Guard, keepNothing, takeOnlyJson } from '../platform/http/mount.ts';
import { documented } from '../platform/http/openapi.ts';
import { type LimitedBy, limitCaller } from '../platform/http/rate-limit.ts';
import type { Caller, Method, Route } from '../platform/http/route.ts';

/** An authenticated call to the outside. It gets no transaction, because it may take long. */
export interface OutsideCall<P, B> {
  caller: Caller;
  params: P;
  body: B;
}

/** An endpoint like the API's own, but without a transaction. */
export interface OutsideRoute extends Omit<Route, 'handle'> {
  handle(call: OutsideCall<unknown, unknown>): Promise<unknown>;
}

/** Types an endpoint: its handler gets the types of its schemas. */
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

/** Returns a route for the platform's helpers; it is never called. */
function asRoute(route: OutsideRoute): Route {
  return {
    ...route,
    handle: () => Promise.reject(new Error('a route of the sandbox has no transaction')),
  };
}

/** Endpoints, and how they are served. */
export interface OutsideMounted {
  routes: readonly OutsideRoute[];
  /** The guards that run before a route: one of them sets the caller. */
  guards: (route: OutsideRoute) => readonly Guard[];
  /** What their requests are counted by before the guards. Default: `caller`, which the guards count. */
  limitedBy?: LimitedBy;
  /** The prefix of every path. Default: none. */
  prefix?: string;
  /** Whether the OpenAPI document includes them. */
  documented: boolean;
}

/** Returns the guards of an API key: whatever its scopes, within the API's own rate limit. `allow`: the guard of an endpoint. */
export function keyGuards(
  authenticate: Authenticate,
  allow: (route: OutsideRoute) => Guard,
): OutsideMounted['guards'] {
  const guards = [identify(authenticate), limitCaller, refuseStrangers];
  return (route) => [...guards, allow(route)];
}

/** Adds the endpoints to a scope of their own: JSON only, with the API's errors and documentation. */
export async function mountOutsideRoutes(
  app: FastifyInstance,
  mounted: OutsideMounted,
): Promise<void> {
  await app.register(
    async (scope) => {
      takeOnlyJson(scope);
      keepNothing(scope);
      for (const route of mounted.routes) mount(scope, route, mounted);
    },
    { prefix: mounted.prefix ?? '' },
  );
}

/** Returns the documentation without the Idempotency-Key, which these endpoints do not take. */
function documentedOutside(route: OutsideRoute): object {
  const errors = [...(route.errors ?? []), 'forbidden' as const];
  const { headers: _keyed, ...schema } = documented(
    asRoute({ ...route, tag: TAG, errors }),
  ) as Record<string, unknown>;
  return schema;
}

function mount(scope: FastifyInstance, route: OutsideRoute, mounted: OutsideMounted): void {
  const read = inputsOf(asRoute(route));
  scope.route({
    method: route.method,
    url: route.path,
    schema: mounted.documented ? documentedOutside(route) : { hide: true },
    config: { limitedBy: mounted.limitedBy ?? 'caller' },
    onRequest: [...mounted.guards(route)],
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
