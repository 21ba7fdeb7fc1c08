import type { PlainRoutes, Route } from '../../platform/http/calls/route.ts';
import { type Mounted, mountRoutes } from '../../platform/http/mount.ts';
import { accountRoutes } from './account-routes.ts';
import { bankRoutes } from './bank-routes.ts';
import { clockRoutes, type Moving } from './clock-routes.ts';
import { customerRoutes } from './customer-routes.ts';
import type { SandboxDeps } from './deps.ts';
import { issuerRoutes } from './issuer-routes.ts';
import { resetRoutes } from './reset-routes.ts';

/**
 * The sandbox's own endpoints: its clock, customers, accounts and reset (docs/rules/sandbox.md). They call the partner
 * programs, so none of them runs in a transaction. Aborting `stopping` ends moves of the clock early.
 */
export function sandboxEndpoints(deps: SandboxDeps, moving: Moving): Route[] {
  return [
    ...clockRoutes(deps, moving),
    ...customerRoutes(deps),
    ...accountRoutes(deps),
    ...issuerRoutes(deps),
    ...bankRoutes(deps),
    ...resetRoutes(deps),
  ].map((route) => ({
    ...route,
    errors: [...(route.errors ?? []), 'forbidden'],
    keyless: true,
  }));
}

/** Mounts the sandbox's endpoints behind the given guards. */
export function sandboxRoutes(
  deps: SandboxDeps,
  mounted: Omit<Mounted, 'routes' | 'platform'>,
): PlainRoutes {
  return (app) => {
    const stop = new AbortController();
    const underWay = new Set<Promise<unknown>>();
    app.addHook('preClose', async () => {
      stop.abort();
      await Promise.allSettled(underWay);
    });
    return mountRoutes(app, {
      ...mounted,
      platform: deps.platform,
      routes: sandboxEndpoints(deps, { stopping: stop.signal, underWay }),
    });
  };
}
