import type { Route } from '../platform/http/calls/route.ts';
import type { Platform } from '../platform/platform.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { feedRoutes } from './feed/routes.ts';

/** Returns the routes of webhook endpoints and of their events. */
export function webhookRoutes(platform: Platform): Route[] {
  return [...endpointRoutes(platform), ...feedRoutes(platform), ...eventRoutes(platform)];
}
