import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Platform } from '../platform.ts';
import { callHandler, render, renderChecked } from './call.ts';
import { documented } from './openapi.ts';
import type { LimitedBy } from './rate-limit.ts';
import type { Route } from './route.ts';

/** What a request meets, in this order, before its route: who calls, how often, and whether they may. */
export type Guard = onRequestAsyncHookHandler;

/** Routes, and how they are to be had. */
export interface Mounted {
  platform: Platform;
  routes: readonly Route[];
  guards: (route: Route) => readonly Guard[];
  /** What their requests are counted by before the guards. Default: `caller`, which the guards count. */
  limitedBy?: LimitedBy;
  /** Before every path. Default: none. */
  prefix?: string;
  /** Whether the OpenAPI document shows them. */
  documented: boolean;
  /** Notes what is asked for and answered. */
  record?: (scope: FastifyInstance) => void;
  /** Holds every answer against its schema and fails with 500 where it does not fit: for tests. */
  checkResponses?: boolean;
}

/** Adds routes to a scope of their own: JSON only, nothing to be kept by caches. */
export async function mountRoutes(app: FastifyInstance, mounted: Mounted): Promise<void> {
  const renderer = mounted.checkResponses === true ? renderChecked : render;
  await app.register(
    (scope, _options, done) => {
      takeOnlyJson(scope);
      keepNothing(scope);
      mounted.record?.(scope);
      for (const route of mounted.routes)
        scope.route({
          method: route.method,
          url: route.path,
          schema: mounted.documented ? documented(route) : { hide: true },
          config: { limitedBy: mounted.limitedBy ?? 'caller' },
          onRequest: [...mounted.guards(route)],
          handler: callHandler(mounted.platform, route, renderer),
        });
      done();
    },
    { prefix: mounted.prefix ?? '' },
  );
}

/**
 * The API takes JSON and nothing else; no body at all is fine where nothing is required. A key such as `__proto__` is a
 * name like any other: it becomes a property of its own, and schemas say where names are free. Whoever copies such an
 * object spreads it (or uses `Object.fromEntries`), which sets no prototype.
 */
export function takeOnlyJson(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('ignore', 'ignore');
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) done(null, undefined);
    else void parse(request, String(text), done); // answers through `done`
  });
}

/** No answer is kept by a browser or a proxy. */
export function keepNothing(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}
