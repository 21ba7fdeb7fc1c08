import type { PlainRoutes, Route } from '../../platform/http/calls/route.ts';
import { type Mounted, mountRoutes } from '../../platform/http/mount.ts';
import { accountRoutes } from './account-routes.ts';
import { bankRoutes } from './bank-routes.ts';
import { clockRoutes } from './clock-routes.ts';
import { customerRoutes } from './customer-routes.ts';
import type { SandboxDeps } from './deps.ts';
import { issuerRoutes } from './issuer-routes.ts';
import { resetRoutes } from './reset-routes.ts';

/**
 * The sandbox's own endpoints: its clock, customers, accounts and reset (docs/rules/sandbox.md). They call the partner
 * programs, so none of them runs in a transaction. Aborting `stopping` ends calls in progress early.
 */
export function sandboxEndpoints(deps: SandboxDeps, stopping: AbortSignal): Route[] {
  return [
    ...clockRoutes(deps, stopping),
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
    app.addHook('preClose', async () => stop.abort());
    return mountRoutes(app, {
      ...mounted,
      platform: deps.platform,
      routes: sandboxEndpoints(deps, stop.signal),
    });
  };
}
