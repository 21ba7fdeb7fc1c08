import type { Route } from '../platform/http/route.ts';
import type { Platform } from '../platform/platform.ts';
import { accessRoutes } from './access/routes.ts';
import { merchantRoutes } from './merchants/routes.ts';

/** All endpoints of the operators' API. */
export function adminRoutes(platform: Platform): Route[] {
  return [...accessRoutes(platform), ...merchantRoutes(platform)];
}
