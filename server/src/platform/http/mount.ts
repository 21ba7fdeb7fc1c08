import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Platform } from '../platform.ts';
import { acceptOnlyJson } from './calls/bodies.ts';
import { callHandler, render, renderChecked } from './calls/call.ts';
import type { Transact } from './calls/own-transactions.ts';
import type { LimitedBy } from './calls/rate-limit.ts';
import { addResponseCoding } from './calls/response-coding.ts';
import type { Route } from './calls/route.ts';
import { documented } from './openapi/openapi.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Nothing of a call may be kept. */
    isUnlogged?: boolean;
  }
}

/** The checks that run before a route, in this order: who calls, how often, and whether they may. */
export type Guard = onRequestAsyncHookHandler;

/** Routes, and how they are served. */
export interface Mounted {
  platform: Platform;
  routes: readonly Route[];
  guards: (route: Route) => readonly Guard[];
  /** Runs the transaction of a call. Default: confined to the caller's merchant. */
  transact?: Transact;
  /** How their requests are counted before the guards run. Default: `caller`, which the guards count. */
  limitedBy?: LimitedBy;
  /** Prefix of every path. Default: none. */
  prefix?: string;
  /** Whether the OpenAPI document shows them. */
  documented: boolean;
  /** Records requests and responses. */
  record?: (scope: FastifyInstance) => void;
  /** Checks every response against its schema and fails with 500 on a mismatch: for tests. */
  checkResponses?: boolean;
}

/** Adds routes in their own scope: JSON only, never cached; those that the document shows are compressed. */
export async function mountRoutes(app: FastifyInstance, mounted: Mounted): Promise<void> {
  const renderer = mounted.checkResponses === true ? renderChecked : render;
  await app.register(
    (scope, _options, done) => {
      acceptOnlyJson(scope);
      forbidCaching(scope);
      mounted.record?.(scope);
      if (mounted.documented) addResponseCoding(scope);
      for (const route of mounted.routes)
        scope.route({
          method: route.method,
          url: route.path,
          schema: mounted.documented ? documented(route) : { hide: true },
          config: {
            limitedBy: mounted.limitedBy ?? 'caller',
            isUnlogged: route.isUnlogged === true,
          },
          ...(route.bodyLimit !== undefined && { bodyLimit: route.bodyLimit }),
          onRequest: [...mounted.guards(route)],
          handler: callHandler(mounted.platform, route, renderer, mounted.transact),
        });
      done();
    },
    { prefix: mounted.prefix ?? '' },
  );
}

/** Forbids browsers and proxies to cache responses. */
export function forbidCaching(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}
