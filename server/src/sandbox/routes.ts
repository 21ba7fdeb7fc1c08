import type { PlainRoutes } from '../platform/http/route.ts';
import { accountRoutes } from './account-routes.ts';
import { clockRoutes } from './clock-routes.ts';
import { customerRoutes } from './customer-routes.ts';
import type { SandboxDeps } from './deps.ts';
import { mountOutsideRoutes } from './outside-route.ts';

/**
 * What only a sandbox takes, with the API's keys: its clock, its customers, and their accounts
 * (DECISIONS, "Sandbox"). They reach out to the sandbox's partners, so that none of them stands in a
 * transaction.
 */
export function sandboxRoutes(deps: SandboxDeps): PlainRoutes {
  return (app) => {
    const stop = new AbortController();
    app.addHook('preClose', async () => stop.abort());
    return mountOutsideRoutes(app, deps.authenticate, [
      ...clockRoutes(deps, stop.signal),
      ...customerRoutes(deps),
      ...accountRoutes(deps),
    ]);
  };
}
