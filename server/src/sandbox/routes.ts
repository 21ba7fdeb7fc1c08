import type { PlainRoutes } from '../platform/http/route.ts';
import { accountRoutes } from './account-routes.ts';
import { clockRoutes } from './clock-routes.ts';
import { customerRoutes } from './customer-routes.ts';
import type { SandboxDeps } from './deps.ts';
import { keyGuards, mountOutsideRoutes, type OutsideRoute } from './outside-route.ts';
import { resetRoutes } from './reset-routes.ts';

/**
 * What only a sandbox takes: its clock, its customers, their accounts, and a new beginning (DECISIONS, "Sandbox"). They
 * reach out to the sandbox's partners, so that none of them stands in a transaction. What is under way ends early when
 * `stopping` is aborted.
 */
export function sandboxEndpoints(deps: SandboxDeps, stopping: AbortSignal): OutsideRoute[] {
  return [
    ...clockRoutes(deps, stopping),
    ...customerRoutes(deps),
    ...accountRoutes(deps),
    ...resetRoutes(deps),
  ];
}

/** The same, for whoever has one of the API's keys. */
export function sandboxRoutes(deps: SandboxDeps): PlainRoutes {
  return (app) => {
    const stop = new AbortController();
    app.addHook('preClose', async () => stop.abort());
    return mountOutsideRoutes(app, {
      routes: sandboxEndpoints(deps, stop.signal),
      guards: keyGuards(deps.authenticate),
      documented: true,
    });
  };
}
