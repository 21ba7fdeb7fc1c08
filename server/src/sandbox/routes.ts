import type { Engine } from '../platform/engine.ts';
import type { Authenticate } from '../platform/http/auth.ts';
import type { PlainRoutes } from '../platform/http/route.ts';
import type { Platform } from '../platform/platform.ts';
import { accountRoutes } from './account-routes.ts';
import type { SandboxClock } from './clock.ts';
import { clockRoutes } from './clock-routes.ts';
import { customerRoutes } from './customer-routes.ts';
import { mountOutsideRoutes } from './outside-route.ts';
import type { SandboxPartners } from './partners.ts';

export interface SandboxDeps {
  platform: Platform;
  engine: Engine;
  clock: SandboxClock;
  partners: Pick<SandboxPartners, 'bankUrl' | 'control'>;
  authenticate: Authenticate;
}

/**
 * What only a sandbox takes, with the API's keys: its clock, its customers, and their accounts (DECISIONS, "Sandbox").
 * They reach out to the sandbox's partners, so that none of them stands in a transaction.
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
